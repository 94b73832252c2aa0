import { expect, it } from 'vitest';
import { runPushKills } from '../../bench/kill-push-body.ts';
import { long } from './long.ts';

it('brings a push to every device once, over its kills in the middle of its waves', async () => {
  const report = await runPushKills({ kills: long ? 20 : 5, devices: long ? 500 : 60 });
  expect(report.problems).toEqual([]);
  // meaningless without work in progress
  expect(report.at.some((had) => had < report.devices)).toBe(true);
}, 3_600_000);
