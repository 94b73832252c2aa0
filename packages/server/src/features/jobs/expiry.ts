import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Ended } from './runner.ts';
import { waitingSince } from './store.ts';

const waitDays = 30;
const expireBatch = 1000;

/** Expires items; `finish` ignores those that continued meanwhile. */
export async function expireWaiting(
  { database, clock }: { database: Database; clock: Clock },
  finish: (
    key: { accountId: string; jobId: string },
    ended: readonly Ended[],
    from: ['waiting_offline'],
  ) => Promise<void>,
): Promise<void> {
  const before = new Date(clock.now().getTime() - waitDays * 86_400_000);
  const items = await database.withSystem((tx) => waitingSince(tx, before, expireBatch));
  for (const item of items) {
    const outcome = { status: 'failed', reason: 'job.expired' } as const;
    await finish({ accountId: item.account_id, jobId: item.job_id }, [{ item, outcome }], ['waiting_offline']);
  }
}
