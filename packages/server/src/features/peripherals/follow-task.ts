import type { Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';

export const followTask = 'peripherals-follow';

export interface WatchedNetwork {
  accountId: string;
  gwid: string;
}

/** Declares and reads the targets of one network after the commit, before the next minute. */
export function enqueueFollow(tx: Tx, { accountId, gwid }: WatchedNetwork): Promise<void> {
  const key = `${followTask}:${gwid}`;
  return enqueue(tx, followTask, { accountId, gwid }, { key, queue: key });
}
