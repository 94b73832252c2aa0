import { readFileSync } from 'node:fs';
import { smallGateway, startHost } from '../e2e/src/edge/host.ts';
import { startLab } from '../e2e/src/edge/lab.ts';
import { used } from '../e2e/src/edge/used.ts';
import { megabytes, pause } from './lib/stats.ts';
import { atMost, record } from './results.ts';

/** `npx tsx bench/edge-rest.ts [seconds]`: idle cost of agent and tools on a configured gateway (root). */

const seconds = Number(process.argv[2] ?? 180);
/** Settling time after the configuration, in milliseconds. */
const settle = 60_000;

const lab = await startLab({ console: true });
const host = await startHost(lab, { supervised: true });
try {
  const session = await host.start();
  await session.command('configure', { uuid: 100, config: smallGateway(100) });
  const { pid } = JSON.parse(readFileSync(`${host.folder}/run/yunxun-edge/status.json`, 'utf8')) as { pid: number };
  await pause(settle);
  const [before, began] = [used(pid), performance.now()];
  await pause(seconds * 1000);
  const after = used(pid);
  const share = ((after.seconds - before.seconds) * 100_000) / (performance.now() - began);
  record(
    'edgeRest',
    [
      atMost('resident memory', after.resident, 80e6, megabytes),
      atMost('of a core', share, 1, (part) => `${part.toFixed(2)} %`),
      { what: 'open files, before and after', measured: `${before.open}, ${after.open}` },
    ],
    [
      `${seconds} s of a gateway with one line, one network and no client. CPU is of the agent and of the programs it starts.`,
    ],
  );
} finally {
  await host.stop();
  await lab.stop();
}
