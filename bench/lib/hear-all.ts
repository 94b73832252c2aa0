import type { ChildProcess } from 'node:child_process';
import { ask } from './parts.ts';
import { pause } from './stats.ts';
import { metric } from './whole-program.ts';

const rate = 250;

export const committed = (url: string): Promise<number> => metric(url, 'yunxun_telemetry_batch_messages_sum');

/** Lets devices report twice: the first report inserts all clients. Returns when all are processed. */
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
  // silent devices would count as offline
  host.send({ speed: 1 });
  const { sent } = await ask<{ sent: number }>(reporters, 'count');
  for (let last = -1, now = 0; now < sent && now !== last; now = await committed(url)) {
    last = now;
    await pause(2000);
  }
}
