import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Preloaded into the program: answers the longest hold of its event loop since the last call, in milliseconds. */
if (isMainThread) {
  const resolution = 1;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  createServer((_request, response) => {
    response.end(String(Math.max(0, delays.max / 1e6 - resolution)));
    delays.reset();
  })
    .listen(Number(process.env.BENCH_HOLDS_PORT), '127.0.0.1')
    .unref();
}
