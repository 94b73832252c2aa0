import { expect, it } from 'vitest';
import { runAlarmKills } from '../../bench/kill-alarms-body.ts';

it('loses no alarm between its decision and its sending, and sends none under two ids', async () => {
  const report = await runAlarmKills({ kills: 20 });
  expect(report.problems).toEqual([]);
  // meaningless without work in progress
  expect(report.at.some(({ had, due }) => had < due)).toBe(true);
}, 3_600_000);
