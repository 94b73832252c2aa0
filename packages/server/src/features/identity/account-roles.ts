import { type MemberRole, type Permission, rolePermissions } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { containing } from '../../platform/search/index.ts';
import type { IdentityTables } from './tables.ts';

/** A standard role, or one of the account's own by its id. */
export interface RoleChoice {
  role: MemberRole;
  role_id: string | null;
}

/** `roleName` is null for standard roles. */
export interface KnownRole extends RoleChoice {
  roleName: string | null;
  permissions: readonly Permission[];
}

export interface RoleContent {
  name: string;
  permissions: Permission[];
}

export interface RoleHolder {
  name: string;
  gwids: string[] | null;
}

const db = (tx: Tx) => tables<IdentityTables>(tx);

/** `own`: of the account's own role. */
export function permissionsOfRole(role: MemberRole, own: readonly Permission[] | null): readonly Permission[] {
  return role === 'custom' ? (own ?? []) : rolePermissions[role];
}

/**
 * Holds the role against deletion until the transaction ends.
 * @throws Failure notFound if deleted, or if role and id disagree
 */
export async function readRole(tx: Tx, accountId: string, { role, role_id: id }: RoleChoice): Promise<KnownRole> {
  if ((role === 'custom') !== (id !== null)) throw new Failure('notFound');
  if (id === null) return { role, role_id: null, roleName: null, permissions: permissionsOfRole(role, null) };
  const own = await db(tx)
    .selectFrom('account_role')
    .select(['name', 'permissions'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (!own) throw new Failure('notFound');
  return { role, role_id: id, roleName: own.name, permissions: own.permissions };
}

/** @param invitationNum counts the open invitations of role `r` */
export async function listRoles(
  tx: Tx,
  accountId: string,
  invitationNum: RawBuilder<number>,
  page: {
    offset: number;
    limit: number;
    keyword?: string | undefined;
    sort?: 'member_num' | 'invitation_num' | undefined;
    order?: 'asc' | 'desc' | undefined;
  },
) {
  let found = db(tx).selectFrom('account_role as r').where('r.account_id', '=', accountId);
  if (page.keyword) found = found.where('r.name', 'ilike', containing(page.keyword));
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const list = await found
    .select(['r.id', 'r.name', 'r.permissions', 'r.updated_at'])
    .select([
      sql<number>`(select count(*)::int from member m where m.account_id = r.account_id and m.role_id = r.id)`.as(
        'member_num',
      ),
      invitationNum.as('invitation_num'),
    ])
    .$if(page.sort !== undefined, (rows) => rows.orderBy(sql.ref(page.sort!), page.order ?? 'asc'))
    .orderBy('r.name')
    .orderBy('r.id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return { list, total: Number(total) };
}

/** Prevents assignments until the transaction ends. @throws Failure notFound */
export async function lockRole(tx: Tx, accountId: string, id: string): Promise<RoleContent> {
  const row = await db(tx)
    .selectFrom('account_role')
    .select(['name', 'permissions'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Failure('notFound');
  return row;
}

/** @throws Failure limitReached, nameExists */
export async function createRole(
  tx: Tx,
  accountId: string,
  content: RoleContent,
  max: number,
  now: Date,
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account roles ${accountId}`}, 0))`.execute(tx);
  const { used } = await db(tx)
    .selectFrom('account_role')
    .select((select) => select.fn.countAll<number>().as('used'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(used) >= max) throw new Failure('limitReached', { params: { limit: max, used: Number(used) } });
  await refuseTakenName(tx, accountId, content.name, null);
  const id = newId(now.getTime());
  await db(tx)
    .insertInto('account_role')
    .values({ account_id: accountId, id, ...content, created_at: now, updated_at: now })
    .execute();
  return id;
}

/** @throws Failure nameExists */
export async function changeRole(
  tx: Tx,
  accountId: string,
  id: string,
  content: RoleContent,
  now: Date,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account roles ${accountId}`}, 0))`.execute(tx);
  await refuseTakenName(tx, accountId, content.name, id);
  await db(tx)
    .updateTable('account_role')
    .set({ ...content, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function deleteRole(tx: Tx, accountId: string, id: string): Promise<void> {
  await db(tx).deleteFrom('account_role').where('account_id', '=', accountId).where('id', '=', id).execute();
}

async function refuseTakenName(tx: Tx, accountId: string, name: string, except: string | null): Promise<void> {
  const same = await db(tx)
    .selectFrom('account_role')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst();
  if (same && same.id !== except) throw new Failure('nameExists', { params: { kind: 'role' } });
}

export function membersWithRole(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<(RoleHolder & { personId: string; home: string })[]> {
  return db(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .select(['m.person_id as personId', 'm.person_account_id as home'])
    .select(sql<string>`coalesce(nullif(p.name, ''), p.email, p.mobile, p.id::text)`.as('name'))
    .select(sql<string[] | null>`m.gwids::text[]`.as('gwids'))
    .where('m.account_id', '=', accountId)
    .where('m.role_id', '=', id)
    .orderBy('m.created_at')
    .execute();
}

export async function roleNames(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom('account_role')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function knownRoles(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db(tx).selectFrom('account_role').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
