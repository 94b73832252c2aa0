import { expect, it } from 'vitest';
import { runKills } from '../../bench/kill-body.ts';

it('loses nothing acknowledged, breaks no chain and ends every job over five kills', async () => {
  const report = await runKills({ kills: 5 });
  expect(report.problems).toEqual([]);
  // it would mean nothing if nobody had written
  expect(report.acknowledged).toMatchObject({
    network: expect.any(Number),
    account: expect.any(Number),
    wifi: expect.any(Number),
    job: expect.any(Number),
  });
}, 600_000);
