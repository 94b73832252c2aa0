import type { Tx } from '../../platform/database/index.ts';
import { type NasRow, radiusTables } from './tables.ts';

export type NasState = Pick<NasRow, 'last_seen_at' | 'refused_at' | 'accepted' | 'accounted'>;

export function nasStates(tx: Tx, accountId: string, gwid: string): Promise<NasState[]> {
  return radiusTables(tx)
    .selectFrom('radius_nas')
    .select(['last_seen_at', 'refused_at', 'accepted', 'accounted'])
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
}
