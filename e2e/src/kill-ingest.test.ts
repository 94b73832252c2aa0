import { expect, it } from 'vitest';
import { runIngestKills } from '../../bench/kill-ingest-body.ts';

it('loses nothing committed of what devices report, and counts nothing twice, over five kills', async () => {
  const report = await runIngestKills({ kills: 5 });
  expect(report.problems).toEqual([]);
  // it would mean nothing if nobody had reported
  expect(report.reports).toBeGreaterThan(50);
  expect(report.acknowledged).toBeGreaterThan(10);
}, 600_000);
