import { expect, it } from 'vitest';
import { runPaymentKills } from '../../bench/kill-payments-body.ts';
import { long } from './long.ts';

it('books every payment once over its kills', async () => {
  const report = await runPaymentKills({ kills: long ? 100 : 5 });
  expect(report.problems).toEqual([]);
  // meaningless without payments under the kills
  expect(report).toMatchObject({ payments: expect.any(Number), cutOff: expect.any(Number) });
  expect(Math.min(report.payments, report.refunds, report.cutOff)).toBeGreaterThan(0);
}, 3_600_000);
