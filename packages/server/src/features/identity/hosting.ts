import type { Permission } from '@yunxun/contract';
import { sql } from 'kysely';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { containing } from '../../platform/search/index.ts';
import { names, without } from './rights.ts';
import type { IdentityTables } from './tables.ts';

export interface Hosted {
  permissions: Permission[];
  gwids: string[] | null;
}

export interface Delegation extends Hosted {
  id: string;
  accountId: string;
  to: string;
}

export interface ShownDelegation extends Hosted {
  id: string;
  account_id: string;
  account_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const gwids = sql<string[] | null>`g.gwids::text[]`.as('gwids');

/** Returns undefined if the login owns none. System role. */
export async function accountOwnedBy(
  tx: Tx,
  kind: 'email' | 'mobile',
  login: string,
): Promise<{ accountId: string; name: string } | undefined> {
  return tables<IdentityTables>(tx)
    .selectFrom('login_directory as l')
    .innerJoin('member as m', (join) =>
      join.onRef('m.account_id', '=', 'l.account_id').onRef('m.person_id', '=', 'l.person_id'),
    )
    .innerJoin('account as a', 'a.account_id', 'l.account_id')
    .select(['a.account_id as accountId', 'a.name'])
    .where('l.kind', '=', kind)
    .where('l.value', '=', login)
    .where('m.role', '=', 'owner')
    .executeTakeFirst();
}

/** Replaces an earlier one. @returns its id, and the replaced one */
export async function createDelegation(
  tx: Tx,
  accountId: string,
  to: string,
  hosted: Hosted,
  now: Date,
): Promise<{ id: string; before: Hosted | null }> {
  // the second of concurrent delegations must see the first
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hosting ${accountId} ${to}`}, 0))`.execute(tx);
  const live = await lockDelegation(tx, { accountId, to });
  if (live) {
    await changeDelegation(tx, live, hosted);
    return { id: live.id, before: { permissions: live.permissions, gwids: live.gwids } };
  }
  const id = newId(now.getTime());
  await tables<IdentityTables>(tx)
    .insertInto('hosting_grant')
    .values({
      account_id: accountId,
      id,
      grantee_account_id: to,
      permissions: hosted.permissions,
      gwids: hosted.gwids,
      created_at: now,
      revoked_at: null,
    })
    .execute();
  return { id, before: null };
}

/** Locks until the transaction ends. System role. */
export function lockDelegation(
  tx: Tx,
  {
    accountId,
    id,
    to,
  }: { to: string; accountId?: string; id?: string } | { accountId: string; id: string; to?: string },
): Promise<Delegation | undefined> {
  let found = tables<IdentityTables>(tx)
    .selectFrom('hosting_grant as g')
    .select(['g.id', 'g.account_id as accountId', 'g.grantee_account_id as to', 'g.permissions', gwids])
    .where('g.revoked_at', 'is', null);
  if (accountId) found = found.where('g.account_id', '=', accountId);
  if (id) found = found.where('g.id', '=', id);
  if (to) found = found.where('g.grantee_account_id', '=', to);
  return found.forUpdate().executeTakeFirst();
}

export async function changeDelegation(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
  hosted: Hosted,
): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('hosting_grant')
    .set({ permissions: hosted.permissions, gwids: hosted.gwids })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Ends the rights at the commit. */
export async function revokeDelegation(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
  now: Date,
): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('hosting_grant')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

interface Page {
  offset: number;
  limit: number;
  keyword?: string | undefined;
}

/** Newest first. System role. */
export async function delegationsOf(
  tx: Tx,
  accountId: string,
  side: 'given' | 'received',
  { offset, limit, keyword }: Page,
): Promise<{ list: ShownDelegation[]; total: number }> {
  const [own, other] =
    side === 'given'
      ? (['g.account_id', 'g.grantee_account_id'] as const)
      : (['g.grantee_account_id', 'g.account_id'] as const);
  let found = tables<IdentityTables>(tx)
    .selectFrom('hosting_grant as g')
    .innerJoin('account as a', 'a.account_id', other)
    .where(own, '=', accountId)
    .where('g.revoked_at', 'is', null);
  if (keyword) found = found.where('a.name', 'ilike', containing(keyword));
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await found
    .select([
      'g.id',
      'a.account_id',
      'a.name as account_name',
      'g.permissions',
      gwids,
      'g.created_at',
      'g.last_used_at',
    ])
    .orderBy('g.created_at', 'desc')
    .orderBy('g.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { list, total: Number(total) };
}

export interface Hosting {
  to: string;
  gwids: string[] | null;
  revokedAt: Date | null;
}

/** Also after their end. System role. */
export async function hostingsById(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Hosting>> {
  if (ids.length === 0) return new Map();
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('hosting_grant as g')
    .select(['g.id', 'g.grantee_account_id as to', 'g.revoked_at as revokedAt', gwids])
    .where('g.account_id', '=', accountId)
    .where('g.id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, ...hosting }) => [id, hosting]));
}

export async function hostingById(tx: Tx, accountId: string, id: string): Promise<Hosting | undefined> {
  return (await hostingsById(tx, accountId, [id])).get(id);
}

export async function hostedNetworks(tx: Tx, accountId: string): Promise<{ all: boolean; gwids: ReadonlySet<string> }> {
  const delegations = await tables<IdentityTables>(tx)
    .selectFrom('hosting_grant as g')
    .select(gwids)
    .where('g.account_id', '=', accountId)
    .where('g.revoked_at', 'is', null)
    .execute();
  return {
    all: delegations.some((delegation) => delegation.gwids === null),
    gwids: new Set(delegations.flatMap((delegation) => delegation.gwids ?? [])),
  };
}

export async function knownDelegations(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('hosting_grant')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Ends delegations without remaining networks. @returns those delegations */
export async function forgetNetworkOfDelegations(
  tx: Tx,
  accountId: string,
  gwid: string,
  now: Date,
): Promise<Delegation[]> {
  const db = tables<IdentityTables>(tx);
  const named = await db
    .selectFrom('hosting_grant as g')
    .select(['g.id', 'g.account_id as accountId', 'g.grantee_account_id as to', 'g.permissions', gwids])
    .where('g.account_id', '=', accountId)
    .where('g.revoked_at', 'is', null)
    .where(names(gwid))
    .forUpdate()
    .execute();
  for (const { id } of named) {
    await db
      .updateTable('hosting_grant')
      .set({
        gwids: without(gwid),
        revoked_at: sql<Date | null>`case when cardinality(array_remove(gwids, ${gwid}::uuid)) = 0 then ${now}::timestamptz end`,
      })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
  }
  return named;
}
