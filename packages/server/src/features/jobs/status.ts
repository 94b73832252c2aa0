import type { JobItemStatus, JobStatus } from '@yunxun/contract';

export const openItemStatuses: readonly JobItemStatus[] = ['queued', 'waiting_offline', 'running'];
const good: readonly JobItemStatus[] = ['applied', 'succeeded', 'skipped'];
const bad: readonly JobItemStatus[] = ['rejected', 'failed'];

export function isFinal(status: JobItemStatus): boolean {
  return !openItemStatuses.includes(status);
}

const sum = (sums: Sums, statuses: readonly JobItemStatus[]) =>
  statuses.reduce((total, status) => total + (sums[status] ?? 0), 0);

export function statusFrom(sums: Sums): JobStatus {
  const queued = sums.queued ?? 0;
  const running = sums.running ?? 0;
  const waiting = sums.waiting_offline ?? 0;
  const succeeded = sum(sums, good);
  const failed = sum(sums, bad);
  const reverted = sums.reverted ?? 0;
  const cancelled = sums.cancelled ?? 0;
  const finished = succeeded + failed + reverted + cancelled;
  if (queued > 0 && running === 0 && finished === 0 && waiting === 0) return 'queued';
  if (queued + running > 0) return 'running';
  if (waiting > 0) return 'waiting_offline';
  if (finished === succeeded) return 'succeeded';
  // skipped and expired are no success
  if (failed > 0 && reverted === 0 && sum(sums, ['applied', 'succeeded']) === 0) return 'failed';
  if (finished === cancelled) return 'cancelled';
  if (finished === reverted) return 'rolled_back';
  return 'partial';
}

/** Returns sums that equal the total with `open`. */
export function shownSums(sums: Sums) {
  return {
    open: sum(sums, openItemStatuses),
    done: sum(sums, ['applied', 'succeeded']),
    failed: sum(sums, bad) + (sums.reverted ?? 0),
    skipped: sum(sums, ['skipped', 'cancelled']),
    queued: sums.queued ?? 0,
    running: sums.running ?? 0,
    waiting_offline: sums.waiting_offline ?? 0,
  };
}

export type Sums = Partial<Record<JobItemStatus, number>>;
