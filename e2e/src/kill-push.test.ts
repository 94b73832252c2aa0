import { expect, it } from 'vitest';
import { runPushKills } from '../../bench/kill-push-body.ts';

it('brings a push to every device once, over five kills in the middle of its waves', async () => {
  const report = await runPushKills({ kills: 5, devices: 60 });
  expect(report.problems).toEqual([]);
  // it would mean nothing if nothing had been under way
  expect(report.at.some((had) => had < report.devices)).toBe(true);
}, 900_000);
