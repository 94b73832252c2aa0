import { networksOf, type Permission, type Role } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { PersonKey } from './people.ts';
import type { IdentityTables } from './tables.ts';

/** Whether the member of the given alias works on what is hosted to the account: whoever may operate all of its networks. */
export function worksOnHosted(alias: string): string {
  return `${alias}.role in ('owner', 'admin', 'operator') and ${alias}.gwids is null`;
}

/** How people are called in lists: by their name, else by what they sign in with. */
export const shownName = sql<string>`coalesce(nullif(p.name, ''), p.email, p.mobile, p.id::text)`;
/** What a person signs in with. */
export const loginName = sql<string>`coalesce(p.email, p.mobile, p.id::text)`;

/** A membership: a role in an account, for all of its networks or for some. */
export interface Membership {
  personId: string;
  /** The person's own account. */
  home: string;
  login: string;
  role: Role;
  gwids: string[] | null;
}

/** @throws Failure noPermission when the caller's right covers only some networks, and the call concerns all of them: who works in an account does */
export function refuseNarrowed({ actor }: Acting, permission: Permission = 'account.write'): void {
  if (actor && networksOf(actor)) throw new Failure('noPermission', { data: { permission, reason: 'networks' } });
}

/** @throws Failure noPermission when somebody who is no owner touches, or makes, an owner */
export function refuseOwners({ actor }: Acting, ...touched: readonly Role[]): void {
  if (touched.includes('owner') && actor?.role !== 'owner') {
    throw new Failure('noPermission', { data: { permission: 'account.write', reason: 'owner' } });
  }
}

/** A page of an account's members, those who joined first first. System role: members may be people of other accounts. */
export async function membersOf(
  tx: Tx,
  accountId: string,
  { offset, limit, keyword }: { offset: number; limit: number; keyword?: string | undefined },
) {
  let found = tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .where('m.account_id', '=', accountId);
  if (keyword) {
    const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;
    found = found.where(
      sql<boolean>`(p.name ilike ${pattern} or p.email ilike ${pattern} or p.mobile ilike ${pattern})`,
    );
  }
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await found
    .select(['m.person_id as id', 'p.name', loginName.as('login'), 'm.role', 'm.created_at', 'm.last_active_at'])
    .select(sql<string[] | null>`m.gwids::text[]`.as('gwids'))
    .select(sql<boolean>`p.totp_enabled_at is not null`.as('second_factor'))
    .orderBy('m.created_at')
    .orderBy('m.person_id')
    .offset(offset)
    .limit(limit)
    .execute();
  return { list, total: Number(total) };
}

/** Those who can give permissions in an account: its owners, then its admins. System role. */
export function grantorsOf(tx: Tx, accountId: string): Promise<{ name: string; role: Role }[]> {
  return tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .select([shownName.as('name'), 'm.role'])
    .where('m.account_id', '=', accountId)
    .where('m.role', 'in', ['owner', 'admin'])
    .orderBy(sql`m.role = 'owner'`, 'desc')
    .orderBy('m.created_at')
    .limit(10)
    .execute();
}

/** A member of an account, locked until the transaction ends. System role. */
export async function lockMember(tx: Tx, accountId: string, personId: string): Promise<Membership | undefined> {
  return tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .select(['m.person_id as personId', 'm.person_account_id as home', loginName.as('login'), 'm.role'])
    .select(sql<string[] | null>`m.gwids::text[]`.as('gwids'))
    .where('m.account_id', '=', accountId)
    .where('m.person_id', '=', personId)
    .forUpdate('m')
    .executeTakeFirst();
}

/** Makes a person a member of an account; false when it is one already, who stays as it is. */
export async function addMember(
  tx: Tx,
  accountId: string,
  who: PersonKey,
  right: { role: Role; gwids: string[] | null },
  now: Date,
): Promise<boolean> {
  const added = await tables<IdentityTables>(tx)
    .insertInto('member')
    .values({
      account_id: accountId,
      person_id: who.personId,
      person_account_id: who.accountId,
      role: right.role,
      gwids: right.gwids,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** Whether a person works in an account, by what it signs in with. System role. */
export async function isMember(tx: Tx, accountId: string, who: PersonKey): Promise<boolean> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('member')
    .select('role')
    .where('account_id', '=', accountId)
    .where('person_id', '=', who.personId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Gives a member another role and networks.
 * @throws Failure lastOwner
 */
export async function changeMember(
  tx: Tx,
  accountId: string,
  personId: string,
  right: { role: Role; gwids: string[] | null },
): Promise<void> {
  if (right.role !== 'owner') await refuseLastOwner(tx, accountId, personId);
  await tables<IdentityTables>(tx)
    .updateTable('member')
    .set(right)
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .execute();
}

/**
 * Ends a membership.
 * @throws Failure lastOwner
 */
export async function removeMember(tx: Tx, accountId: string, personId: string): Promise<void> {
  await refuseLastOwner(tx, accountId, personId);
  await tables<IdentityTables>(tx)
    .deleteFrom('member')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .execute();
}

/** Two owners who go at the same moment take turns here, so that the second one sees that the first one has gone. */
async function refuseLastOwner(tx: Tx, accountId: string, personId: string): Promise<void> {
  await tables<IdentityTables>(tx)
    .selectFrom('account')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
  const owners = await tables<IdentityTables>(tx)
    .selectFrom('member')
    .select('person_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .execute();
  if (owners.length === 1 && owners[0]!.person_id === personId) throw new Failure('lastOwner');
}

/** Notes that a person works in an account, as a member or on what is hosted to an account of its own. System role. */
export async function touchRight(
  tx: Tx,
  accountId: string,
  { personId, grantId }: { personId?: string; grantId?: string | null },
  now: Date,
): Promise<void> {
  const db = tables<IdentityTables>(tx);
  if (personId) {
    await db
      .updateTable('member')
      .set({ last_active_at: now })
      .where('account_id', '=', accountId)
      .where('person_id', '=', personId)
      .execute();
  }
  if (grantId) {
    await db
      .updateTable('hosting_grant')
      .set({ last_used_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', grantId)
      .execute();
  }
}

/** An account that somebody can act in. */
export interface Workplace {
  account_id: string;
  name: string;
  /** Null: by hosting. */
  role: Role | null;
  own: boolean;
  /** Null: all networks. */
  network_count: number | null;
}

/** The accounts that a person can act in: the own one, memberships, then what is hosted. Locked ones are left out. System role. */
export async function workplacesOf(tx: Tx, who: PersonKey): Promise<Workplace[]> {
  const { rows } = await sql<Workplace>`
    select a.account_id, a.name, m.role, a.account_id = ${who.accountId} as own, cardinality(m.gwids) as network_count
    from account a
    left join member m on m.account_id = a.account_id and m.person_id = ${who.personId}
    where a.locked_at is null and (m.role is not null or a.account_id = ${who.accountId})
    union all
    select distinct on (a.account_id) a.account_id, a.name, null, false, cardinality(g.gwids)
    from hosting_grant g
    join account a on a.account_id = g.account_id and a.locked_at is null
    join account x on x.account_id = g.grantee_account_id and x.locked_at is null
    join member w on w.account_id = g.grantee_account_id and w.person_id = ${who.personId} and ${sql.raw(worksOnHosted('w'))}
    where g.revoked_at is null and g.account_id <> ${who.accountId}
      and not exists (select from member m where m.account_id = g.account_id and m.person_id = ${who.personId})
    order by own desc, role nulls last, name, account_id`.execute(tx);
  return rows;
}

/** Which of the people are members of the account, in the transaction's scope. */
export async function knownMembers(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('member')
    .select('person_id')
    .where('person_id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.person_id));
}

/** Takes a network that is unbound out of the memberships that name it; one that named no other sees nothing any more. */
export async function forgetNetworkOfMembers(tx: Tx, accountId: string, gwid: string): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('member')
    .set({ gwids: without(gwid) })
    .where('account_id', '=', accountId)
    .where(names(gwid))
    .execute();
}

/** `gwids` without a network. */
export function without(gwid: string): RawBuilder<string[] | null> {
  return sql<string[] | null>`array_remove(gwids, ${gwid}::uuid)`;
}

/** Whether `gwids` names a network. */
export function names(gwid: string): RawBuilder<boolean> {
  return sql<boolean>`${gwid}::uuid = any (gwids)`;
}
