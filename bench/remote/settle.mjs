import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** Preloaded into the program: collects garbage, and answers `process.memoryUsage()`. */
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  createServer((_request, response) => {
    // the first one runs finalizers, whose memory the next one frees
    for (let at = 0; at < 3; at += 1) collect();
    response.end(JSON.stringify(process.memoryUsage()));
  })
    .listen(Number(process.env.BENCH_SETTLE_PORT), '127.0.0.1')
    .unref();
}
