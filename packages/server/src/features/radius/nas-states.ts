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

export interface SpeakingDevice {
  serial: string;
  at: Date;
}

export async function speakingDevices(tx: Tx, accountId: string, gwid: string): Promise<SpeakingDevice[]> {
  const rows = await radiusTables(tx)
    .selectFrom('radius_session')
    .select(({ fn, ref }) => ['serial', fn.max(ref('at')).as('at')])
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('serial', 'is not', null)
    .groupBy('serial')
    .execute();
  return rows.map(({ serial, at }) => ({ serial: serial!, at }));
}
