import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a device, by the column of its serial, is connected: what it said last holds. `is true` keeps the devices a set
 * that is looked up in: as a join they would be walked one by one, thousands of them.
 */
export function isConnected(accountId: string, serial: 'o.serial' | 'b.serial' | 'a.serial'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(serial)} in (select l.serial from device_link l
    where l.account_id = ${accountId} and l.connected_since is not null)) is true`;
}
