import { parseArgs } from 'node:util';
import { runAlarmKills } from './kill-alarms-body.ts';
import { record } from './results.ts';

/**
 * `npx tsx bench/kill-alarms.ts [--kills 100]`: kill -9 between an alarm's decision and its sending. Exits with 1 on
 * lost alarms and alarms sent under two ids.
 */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' } } });
const report = await runAlarmKills({ kills: Number(values.kills), log: (line) => console.log(line) });
const { problems, at } = report;

record(
  'killAlarms',
  [
    { what: 'kills of the program', measured: String(report.kills) },
    { what: 'alarms, each to every address', measured: `${report.alarms} to ${report.addresses}` },
    {
      what: 'kills with alarms that were not sent yet',
      measured: String(at.filter(({ had, due }) => had < due).length),
    },
    { what: 'messages sent again under their id, which the address recognises', measured: String(report.again) },
    {
      what: 'alarms lost, or sent under two ids',
      measured: String(problems.length),
      budget: '0',
      holds: problems.length === 0,
    },
  ],
  problems.slice(0, 20).map((problem) => `* ${problem}`),
);
process.exit(problems.length === 0 ? 0 : 1);
