import type { Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';

export const followTask = 'peripherals-follow';

export interface WatchedNetwork {
  accountId: string;
  gwid: string;
}

export function enqueueFollow(tx: Tx, { accountId, gwid }: WatchedNetwork): Promise<void> {
  const key = `${followTask}:${gwid}`;
  return enqueue(tx, followTask, { accountId, gwid }, { key, queue: key });
}
