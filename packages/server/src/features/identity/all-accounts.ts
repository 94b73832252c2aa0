import type { Locale } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { PersonKey } from '../../platform/acting.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { containing } from '../../platform/search/index.ts';
import { readTyped } from './readable.ts';
import { loginName } from './rights.ts';
import type { IdentityTables } from './tables.ts';

export interface OverseenAccount {
  account_id: string;
  name: string;
  owner: string | null;
  created_at: Date;
  members: number;
  sdwan_status: boolean;
  second_factor: boolean;
  locked: boolean;
  last_active_at: Date | null;
}

export interface AccountQuery {
  keyword?: string | undefined;
  locked?: boolean | undefined;
  offset: number;
  limit: number;
  /** Default: by age. */
  byMembers?: boolean;
  descending: boolean;
}

/** Searches names, logins and binding codes. System role. */
export async function listAccounts(tx: Tx, query: AccountQuery): Promise<{ list: OverseenAccount[]; total: number }> {
  const where = fitting(query);
  const direction = sql.raw(query.descending ? 'desc' : 'asc');
  const { rows } = await sql<OverseenAccount>`
    select a.account_id, a.name, a.created_at, a.sdwan_status, a.locked_at is not null as locked,
      (select ${loginName} ${owners} limit 1) as owner,
      coalesce((select p.totp_enabled_at is not null ${owners} limit 1), false) as second_factor,
      (select count(*)::int from member m where m.account_id = a.account_id) as members,
      (select max(s.last_active_at) from user_session s where s.account_id = a.account_id) as last_active_at
    from account a where ${where}
    order by ${sql.raw(query.byMembers ? 'members' : 'a.created_at')} ${direction}, a.account_id ${direction}
    limit ${query.limit} offset ${query.offset}`.execute(tx);
  const total = await sql<{ total: number }>`select count(*)::int as total from account a where ${where}`.execute(tx);
  return { list: rows, total: total.rows[0]!.total };
}

const owners = sql`from member m join person p on p.account_id = m.person_account_id and p.id = m.person_id
  where m.account_id = a.account_id and m.role = 'owner'
  order by m.person_account_id <> a.account_id, m.created_at, p.id`;

function fitting({ keyword, locked }: AccountQuery): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (locked !== undefined) conditions.push(locked ? sql`a.locked_at is not null` : sql`a.locked_at is null`);
  if (keyword) {
    const pattern = containing(keyword);
    conditions.push(sql`(a.name ilike ${pattern} or a.binding_code = ${readTyped(keyword)} or exists (
      select from person p where p.account_id = a.account_id
        and (p.name ilike ${pattern} or p.email ilike ${pattern} or p.mobile like ${pattern})))`);
  }
  return sql.join(conditions, sql` and `);
}

/** Requires the system role. */
export async function countAccounts(tx: Tx): Promise<number> {
  const { n } = await tables<IdentityTables>(tx)
    .selectFrom('account')
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Requires the system role. */
export async function knownAccounts(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('account')
    .select('account_id')
    .where('account_id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

export async function ownerOf(
  tx: Tx,
  accountId: string,
): Promise<(PersonKey & { email: string | null; mobile: string | null; locale: Locale }) | undefined> {
  const { rows } = await sql<PersonKey & { email: string | null; mobile: string | null; locale: Locale }>`
    select p.account_id as "accountId", p.id as "personId", p.email, p.mobile, p.locale
    from account a cross join lateral (select p.* ${owners} limit 1) p
    where a.account_id = ${accountId} and p.account_id = a.account_id`.execute(tx);
  return rows[0];
}

/** System role. @returns whether it changed anything */
export async function setLocked(tx: Tx, accountId: string, lockedAt: Date | null): Promise<boolean> {
  const changed = await tables<IdentityTables>(tx)
    .updateTable('account')
    .set({ locked_at: lockedAt })
    .where('account_id', '=', accountId)
    .where('locked_at', lockedAt ? 'is' : 'is not', null)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Keeps API tokens, which a lock disables. @returns the number of sessions */
export async function endSessionsOfAccount(tx: Tx, accountId: string): Promise<number> {
  const db = tables<IdentityTables>(tx);
  const ended = await db.deleteFrom('user_session').where('account_id', '=', accountId).executeTakeFirst();
  await db.deleteFrom('token_directory').where('account_id', '=', accountId).where('kind', '=', 'session').execute();
  return Number(ended.numDeletedRows);
}

/** System role. @returns whether it changed anything */
export async function setSdwan(tx: Tx, accountId: string, on: boolean): Promise<boolean> {
  const changed = await tables<IdentityTables>(tx)
    .updateTable('account')
    .set({ sdwan_status: on })
    .where('account_id', '=', accountId)
    .where('sdwan_status', '=', !on)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Requires the system role. */
export async function openAccountIds(tx: Tx): Promise<string[]> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('account')
    .select('account_id')
    .where('locked_at', 'is', null)
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}

export async function namesOfAccounts(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('account')
    .select(['account_id', 'name'])
    .where('account_id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.account_id, row.name]));
}
