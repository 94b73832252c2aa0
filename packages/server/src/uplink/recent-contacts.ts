import { type Tx, tables } from '../platform/database/index.ts';
import type { UplinkTables } from './tables.ts';

export function recentEnrolments(tx: Tx, accountId: string, limit: number) {
  return tables<UplinkTables>(tx)
    .selectFrom('device_certificate')
    .select(['serial', 'issued_at as at', 'address', 'model'])
    .where('account_id', '=', accountId)
    .where('ours', '=', true)
    .orderBy('issued_at', 'desc')
    .limit(limit)
    .execute();
}

export async function recentConnections(tx: Tx, accountId: string, serials: readonly string[]) {
  if (serials.length === 0) return [];
  const rows = await tables<UplinkTables>(tx)
    .selectFrom('device_link')
    .select(['serial', 'address', 'connected_since', 'last_frame_at'])
    .where('account_id', '=', accountId)
    .where('serial', 'in', [...serials])
    .execute();
  return rows
    .map((row) => ({
      serial: row.serial,
      address: row.address,
      online: row.connected_since !== null,
      at: row.connected_since ?? row.last_frame_at,
    }))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
}
