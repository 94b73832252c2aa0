import { expect, test } from 'vitest';
import { awaitsReturn } from './job-name.ts';

test('a device that restarts into its new version is not said to be away', () => {
  const waiting = (reason: string | null) => awaitsReturn({ status: 'waiting_offline', reason });
  expect(['job.offline', 'job.never_connected', null].map(waiting)).toEqual([true, true, true]);
  expect(['job.upgrading', 'job.restarting', 'job.user_leaving', 'job.answer_lost'].map(waiting)).toEqual(
    Array(4).fill(false),
  );
  expect(awaitsReturn({ status: 'queued', reason: 'job.offline' })).toBe(false);
});
