import { parseArgs } from 'node:util';
import { runKills } from './kill-body.ts';
import { quantile, seconds } from './lib/stats.ts';
import { record } from './results.ts';

/** `npx tsx bench/kill.ts [--kills 50]`: kill -9 of program, database, both. Exits with 1 on lost writes. */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' } } });
const report = await runKills({ kills: Number(values.kills), log: (line) => console.log(line) });
const { acknowledged, jobs, problems, restarts } = report;
const list = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

record(
  'kill',
  [
    { what: 'kills: the program, both, the database, in turn', measured: String(report.kills) },
    { what: 'acknowledged writes', measured: list(acknowledged) },
    { what: 'writes that a kill cut off', measured: String(report.unknown) },
    {
      what: 'acknowledged writes lost, chains broken, jobs without an end, orphans in the way',
      measured: String(problems.length),
      budget: '0',
      holds: problems.length === 0,
    },
    { what: 'jobs in the end', measured: list(jobs) },
    {
      what: 'from the kill to ready again, median / slowest',
      measured: `${seconds(quantile(restarts, 0.5))} / ${seconds(Math.max(...restarts))}`,
    },
  ],
  problems.slice(0, 20).map((problem) => `* ${problem}`),
);
process.exit(problems.length === 0 ? 0 : 1);
