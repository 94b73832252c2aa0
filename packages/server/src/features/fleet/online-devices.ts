import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { IsConnected } from '../jobs/index.ts';
import { fleet } from './tables.ts';

export function onlineItems(database: Database): IsConnected {
  return async (items, { account_id: accountId }) => {
    const serials = items.flatMap(({ serial }) => serial ?? []);
    const online = await database.withSystem((tx) =>
      fleet(tx)
        .selectFrom('device')
        .select('serial')
        .where('account_id', '=', accountId)
        .where('serial', '=', sql<string>`any(${serials}::text[])`)
        .where('online', '=', true)
        .execute(),
    );
    const found = new Set(online.map(({ serial }) => serial));
    return new Set(items.flatMap(({ seq, serial }) => (serial !== null && found.has(serial) ? [seq] : [])));
  };
}

export async function onlineAmong<T extends { accountId: string; serial: string }>(
  tx: Tx,
  devices: readonly T[],
): Promise<T[]> {
  if (devices.length === 0) return [];
  const rows = await fleet(tx)
    .selectFrom('device')
    .select(['account_id', 'serial'])
    .where('serial', '=', sql<string>`any(${devices.map(({ serial }) => serial)}::text[])`)
    .where('online', '=', true)
    .execute();
  const online = new Set(rows.map(({ account_id: accountId, serial }) => `${accountId}.${serial}`));
  return devices.filter(({ accountId, serial }) => online.has(`${accountId}.${serial}`));
}
