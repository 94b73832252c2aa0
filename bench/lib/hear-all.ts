import type { ChildProcess } from 'node:child_process';
import { ask } from './parts.ts';
import { pause } from './stats.ts';
import { metric } from './whole-program.ts';

/** Reports a second until every device was heard. */
const rate = 250;

/** Reports that are committed. */
export const committed = (url: string): Promise<number> => metric(url, 'yunxun_telemetry_batch_messages_sum');

/**
 * Lets every device of `commands/reporters.ts` report twice before anything is measured: the first report of a device
 * writes down everybody who is there, which happens once in its life. Nothing waits afterwards, and nothing is sent.
 */
export async function hearAll(
  url: string,
  host: ChildProcess,
  reporters: ChildProcess,
  devices: number,
): Promise<void> {
  host.send({ speed: Math.max(1, (60 * rate) / devices) });
  reporters.send({ rate });
  while ((await committed(url)) < 2 * devices) await pause(500);
  reporters.send({ rate: 0 });
  // whoever says nothing for minutes of that clock is gone
  host.send({ speed: 1 });
  const { sent } = await ask<{ sent: number }>(reporters, 'count');
  // what waits in sockets is part of it; what is shed is never counted
  for (let last = -1, now = 0; now < sent && now !== last; now = await committed(url)) {
    last = now;
    await pause(2000);
  }
}
