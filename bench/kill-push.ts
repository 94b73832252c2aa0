import { parseArgs } from 'node:util';
import { runPushKills } from './kill-push-body.ts';
import { quantile, seconds } from './lib/stats.ts';
import { record } from './results.ts';

/**
 * `npx tsx bench/kill-push.ts [--kills 20] [--devices 500]`: kill -9 during pushes, with and without the database.
 * Exits with 1 on duplicates, missing pushes or wrong sums.
 */

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, devices: { type: 'string', default: '500' } },
});
const report = await runPushKills({
  kills: Number(values.kills),
  devices: Number(values.devices),
  log: (line) => console.log(line),
});
const { at, problems, restarts } = report;

record(
  'killPush',
  [
    { what: 'kills: the program, and with its database', measured: String(report.kills) },
    { what: 'devices of a wave', measured: String(report.devices) },
    { what: 'waves that took them', measured: String(report.waves) },
    {
      what: 'devices that had it at a kill, least / median / most',
      measured: `${Math.min(...at)} / ${quantile(at, 0.5)} / ${Math.max(...at)}`,
    },
    {
      what: 'devices without it, or with it twice, or in no known state in the end; sums that do not match',
      measured: String(problems.length),
      budget: '0',
      holds: problems.length === 0,
    },
    {
      what: 'from the kill to ready again, median / slowest',
      measured: `${seconds(quantile(restarts, 0.5))} / ${seconds(Math.max(...restarts))}`,
    },
  ],
  problems.slice(0, 20).map((problem) => `* ${problem}`),
);
process.exit(problems.length === 0 ? 0 : 1);
