import type { MemberRole, Role } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { PersonKey } from '../../platform/acting.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { containing } from '../../platform/search/index.ts';
import { type KnownRole, permissionsOfRole, type RoleChoice } from './account-roles.ts';
import type { IdentityTables } from './tables.ts';

/** Returns SQL: operates on all networks, so on delegated ones. */
export function worksOnHosted(alias: string): string {
  return `${alias}.role in ('owner', 'admin', 'operator') and ${alias}.gwids is null`;
}

export const shownName = sql<string>`coalesce(nullif(p.name, ''), p.email, p.mobile, p.id::text)`;
export const loginName = sql<string>`coalesce(p.email, p.mobile, p.id::text)`;

export interface Membership extends KnownRole {
  personId: string;
  home: string;
  login: string;
  gwids: string[] | null;
}

/** Returns joining order. System role: they may belong to other accounts. */
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
    const pattern = containing(keyword);
    found = found.where(
      sql<boolean>`(p.name ilike ${pattern} or p.email ilike ${pattern} or p.mobile ilike ${pattern})`,
    );
  }
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await found
    .leftJoin('account_role as r', (join) =>
      join.onRef('r.account_id', '=', 'm.account_id').onRef('r.id', '=', 'm.role_id'),
    )
    .select(['m.person_id as id', 'p.name', loginName.as('login'), 'm.role', 'm.created_at', 'm.last_active_at'])
    .select(['m.role_id', 'r.name as role_name', 'r.permissions as own'])
    .select(sql<string[] | null>`m.gwids::text[]`.as('gwids'))
    .select(sql<boolean>`p.totp_enabled_at is not null`.as('second_factor'))
    .orderBy('m.created_at')
    .orderBy('m.person_id')
    .offset(offset)
    .limit(limit)
    .execute();
  return {
    list: list.map(({ own, ...row }) => ({ ...row, permissions: [...permissionsOfRole(row.role, own)] })),
    total: Number(total),
  };
}

/** Returns owners, then admins. System role. */
export function grantorsOf(tx: Tx, accountId: string): Promise<{ name: string; role: Role }[]> {
  return tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .select([shownName.as('name'), sql<Role>`m.role`.as('role')])
    .where('m.account_id', '=', accountId)
    .where('m.role', 'in', ['owner', 'admin'])
    .orderBy(sql`m.role = 'owner'`, 'desc')
    .orderBy('m.created_at')
    .limit(10)
    .execute();
}

/** Returns members with `billing.write` for the whole account. System role. */
export async function decidersOf(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .leftJoin('account_role as r', (join) =>
      join.onRef('r.account_id', '=', 'm.account_id').onRef('r.id', '=', 'm.role_id'),
    )
    .select(['m.person_id', 'm.role', 'r.permissions'])
    .where('m.account_id', '=', accountId)
    .where('m.gwids', 'is', null)
    .execute();
  return rows.flatMap((row) =>
    permissionsOfRole(row.role, row.permissions).includes('billing.write') ? [row.person_id] : [],
  );
}

/** Locks the member until the transaction ends. Requires the system role. */
export async function lockMember(tx: Tx, accountId: string, personId: string): Promise<Membership | undefined> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .leftJoin('account_role as r', (join) =>
      join.onRef('r.account_id', '=', 'm.account_id').onRef('r.id', '=', 'm.role_id'),
    )
    .select(['m.person_id as personId', 'm.person_account_id as home', loginName.as('login'), 'm.role', 'm.role_id'])
    .select(['r.name as roleName', 'r.permissions as own'])
    .select(sql<string[] | null>`m.gwids::text[]`.as('gwids'))
    .where('m.account_id', '=', accountId)
    .where('m.person_id', '=', personId)
    .forUpdate('m')
    .executeTakeFirst();
  if (!row) return undefined;
  const { own, ...member } = row;
  return { ...member, permissions: permissionsOfRole(member.role, own) };
}

/** Returns undefined for others. System role. */
export async function memberName(tx: Tx, accountId: string, personId: string): Promise<string | undefined> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .select(shownName.as('name'))
    .where('m.account_id', '=', accountId)
    .where('m.person_id', '=', personId)
    .executeTakeFirst();
  return row?.name;
}

/** False: a member, whose rights stay. */
export async function addMember(
  tx: Tx,
  accountId: string,
  person: PersonKey,
  right: Pick<RoleChoice, 'role'> & Partial<RoleChoice> & { gwids: string[] | null },
  now: Date,
): Promise<boolean> {
  const added = await tables<IdentityTables>(tx)
    .insertInto('member')
    .values({
      account_id: accountId,
      person_id: person.personId,
      person_account_id: person.accountId,
      role: right.role,
      role_id: right.role_id ?? null,
      gwids: right.gwids,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** Matches the login. Requires the system role. */
export async function isMember(tx: Tx, accountId: string, person: PersonKey): Promise<boolean> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('member')
    .select('role')
    .where('account_id', '=', accountId)
    .where('person_id', '=', person.personId)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws Failure lastOwner */
export async function changeMember(
  tx: Tx,
  accountId: string,
  personId: string,
  right: RoleChoice & { gwids: string[] | null },
): Promise<void> {
  if (right.role !== 'owner') await refuseLastOwner(tx, accountId, personId);
  await tables<IdentityTables>(tx)
    .updateTable('member')
    .set({ role: right.role, role_id: right.role_id, gwids: right.gwids })
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .execute();
}

export async function removeMember(tx: Tx, accountId: string, personId: string): Promise<void> {
  await refuseLastOwner(tx, accountId, personId);
  await tables<IdentityTables>(tx)
    .deleteFrom('member')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .execute();
}

/** Keeps one owner despite concurrent removals. */
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

/** Records activity, as member or delegate. System role. */
export async function touchRight(
  tx: Tx,
  accountId: string,
  { personId, delegationId }: { personId?: string; delegationId?: string | null },
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
  if (delegationId) {
    await db
      .updateTable('hosting_grant')
      .set({ last_used_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', delegationId)
      .execute();
  }
}

export interface AccountMembership {
  account_id: string;
  name: string;
  /** Null: by delegation. */
  role: MemberRole | null;
  role_name: string | null;
  own: boolean;
  /** Null: all networks. */
  network_count: number | null;
}

/** Returns the own account, memberships, then delegations; no locked ones. System role. */
export async function membershipsOf(tx: Tx, person: PersonKey): Promise<AccountMembership[]> {
  const { rows } = await sql<AccountMembership>`
    select a.account_id, a.name, m.role, r.name as role_name, a.account_id = ${person.accountId} as own, cardinality(m.gwids) as network_count
    from account a
    left join member m on m.account_id = a.account_id and m.person_id = ${person.personId}
    left join account_role r on r.account_id = m.account_id and r.id = m.role_id
    where a.locked_at is null and (m.role is not null or a.account_id = ${person.accountId})
    union all
    select distinct on (a.account_id) a.account_id, a.name, null, null, false, cardinality(g.gwids)
    from hosting_grant g
    join account a on a.account_id = g.account_id and a.locked_at is null
    join account x on x.account_id = g.grantee_account_id and x.locked_at is null
    join member w on w.account_id = g.grantee_account_id and w.person_id = ${person.personId} and ${sql.raw(worksOnHosted('w'))}
    where g.revoked_at is null and g.account_id <> ${person.accountId}
      and not exists (select from member m where m.account_id = g.account_id and m.person_id = ${person.personId})
    order by own desc, role nulls last, name, account_id`.execute(tx);
  return rows;
}

export async function knownMembers(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('member')
    .select('person_id')
    .where('person_id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.person_id));
}

/** Leaves a membership without networks, which sees nothing. */
export async function forgetNetworkOfMembers(tx: Tx, accountId: string, gwid: string): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('member')
    .set({ gwids: without(gwid) })
    .where('account_id', '=', accountId)
    .where(names(gwid))
    .execute();
}

export function without(gwid: string): RawBuilder<string[] | null> {
  return sql<string[] | null>`array_remove(gwids, ${gwid}::uuid)`;
}

export function names(gwid: string): RawBuilder<boolean> {
  return sql<boolean>`${gwid}::uuid = any (gwids)`;
}
