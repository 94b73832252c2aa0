import { type RawBuilder, sql } from 'kysely';

/** `is true` keeps a hashed subplan; a join would visit devices one by one. */
export function isConnected(accountId: string, serial: 'o.serial' | 'b.serial' | 'a.serial'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(serial)} in (select l.serial from device_link l
    where l.account_id = ${accountId} and l.connected_since is not null)) is true`;
}
