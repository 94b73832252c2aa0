import { expect, it } from 'vitest';
import { runIngestKills } from '../../bench/kill-ingest-body.ts';
import { long } from './long.ts';

it('loses nothing committed of what devices report, and counts nothing twice, over its kills', async () => {
  const report = await runIngestKills({ kills: long ? 20 : 5 });
  expect(report.problems).toEqual([]);
  // meaningless without reports
  expect(report.reports).toBeGreaterThan(50);
  expect(report.acknowledged).toBeGreaterThan(10);
}, 3_600_000);
