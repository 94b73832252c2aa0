import { parseArgs } from 'node:util';
import { runPaymentKills } from './kill-payments-body.ts';
import { record } from './results.ts';

/** `npx tsx bench/kill-payments.ts [--kills 100]`: kill -9 under payments. Exits with 1 on a wrong journal. */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' } } });
const report = await runPaymentKills({ kills: Number(values.kills), log: (line) => console.log(line) });
const { problems } = report;

record(
  'killPayments',
  [
    { what: 'kills: the program, both, the database, in turn', measured: String(report.kills) },
    { what: 'payments, and those that were refunded', measured: `${report.payments}; ${report.refunds}` },
    { what: 'attempts that failed while the server was down, each repeated', measured: String(report.cutOff) },
    {
      what: 'payments lost or booked twice, balances that differ from the journal',
      measured: String(problems.length),
      budget: '0',
      holds: problems.length === 0,
    },
  ],
  problems.slice(0, 20).map((problem) => `* ${problem}`),
);
process.exit(problems.length === 0 ? 0 : 1);
