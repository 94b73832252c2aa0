import { expect, it } from 'vitest';
import { runKills } from '../../bench/kill-body.ts';
import { long } from './long.ts';

it('loses nothing acknowledged, breaks no chain and ends every job over its kills', async () => {
  const report = await runKills({ kills: long ? 20 : 3 });
  expect(report.problems).toEqual([]);
  // meaningless without writes
  expect(report.acknowledged).toMatchObject({
    network: expect.any(Number),
    account: expect.any(Number),
    wifi: expect.any(Number),
    job: expect.any(Number),
  });
}, 3_600_000);
