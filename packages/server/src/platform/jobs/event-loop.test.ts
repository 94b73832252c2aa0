import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchEventLoop } from './event-loop.ts';

it('the event loop is late while something blocks it, and no longer', async () => {
  const watch = watchEventLoop();
  const deadline = Date.now() + 30_000;
  try {
    while (!watch.isLate() && Date.now() < deadline) {
      for (const until = Date.now() + 250; Date.now() < until; );
      await turn();
    }
    expect(watch.isLate()).toBe(true);
    await expect.poll(() => watch.isLate()).toBe(false);
  } finally {
    watch.stop();
  }
});
