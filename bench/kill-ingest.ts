import { parseArgs } from 'node:util';
import { runIngestKills } from './kill-ingest-body.ts';
import { quantile, seconds } from './lib/stats.ts';
import { record } from './results.ts';

/**
 * `npx tsx bench/kill-ingest.ts [--kills 50]`: kill -9 of program, database or both during reports. Exits with 1 on
 * lost or double-counted data.
 */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' } } });
const report = await runIngestKills({ kills: Number(values.kills), log: (line) => console.log(line) });
const { acknowledged, guests, problems, reports, restarts } = report;

record(
  'killIngest',
  [
    { what: 'kills: the program, both, the database, in turn', measured: String(report.kills) },
    { what: 'reports of devices', measured: String(reports) },
    { what: 'terminals that came and went; shown and looked for again', measured: `${guests}; ${acknowledged}` },
    {
      what: 'sums that no report said, that fell, or that were not reached; visits lost or doubled',
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
