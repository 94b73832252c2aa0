import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

export interface OverdueBackup {
  accountId: string;
  gwid: string;
  /** Of the missing backup. */
  since: Date;
}

/** Covers all accounts. System role. */
export async function overdueBackups(tx: Tx): Promise<OverdueBackup[]> {
  const { rows } = await sql<OverdueBackup>`
    select account_id as "accountId", gwid, since from missed_backup
  `.execute(tx);
  return rows;
}

/** Keeps the first time of networks that stay overdue. */
export async function saveOverdue(tx: Tx, accountId: string, overdue: ReadonlyMap<string, Date>): Promise<void> {
  const gwids = [...overdue.keys()];
  await sql`
    delete from missed_backup where account_id = ${accountId} and gwid <> all(${gwids}::uuid[])
  `.execute(tx);
  if (gwids.length === 0) return;
  await sql`
    insert into missed_backup (account_id, gwid, since)
    select ${accountId}::uuid, o.gwid, o.since
    from unnest(${gwids}::uuid[], ${[...overdue.values()]}::timestamptz[]) as o (gwid, since)
    on conflict (account_id, gwid) do nothing
  `.execute(tx);
}
