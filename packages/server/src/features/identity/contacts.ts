import type { Locale, Permission } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { permissionsOfRole } from './account-roles.ts';
import { shownName } from './rights.ts';
import type { IdentityTables } from './tables.ts';

export interface Contact {
  id: string;
  name: string;
  email: string | null;
  mobile: string | null;
  locale: Locale;
  /** Null: all. */
  gwids: string[] | null;
  permissions: readonly Permission[];
}

/** Members that a choice of recipients shows. */
const maxContacts = 200;

/** Returns joining order; without `ids` the first ones. System role: they may belong to other accounts. */
export async function contactsOf(tx: Tx, accountId: string, ids?: readonly string[]): Promise<Contact[]> {
  const members = tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('person as p', (join) =>
      join.onRef('p.account_id', '=', 'm.person_account_id').onRef('p.id', '=', 'm.person_id'),
    )
    .leftJoin('account_role as r', (join) =>
      join.onRef('r.account_id', '=', 'm.account_id').onRef('r.id', '=', 'm.role_id'),
    )
    .select(['m.person_id as id', shownName.as('name'), 'p.email', 'p.mobile', 'p.locale'])
    .select(['m.role', 'r.permissions as own'])
    .select(sql<string[] | null>`m.gwids::text[]`.as('gwids'))
    .where('m.account_id', '=', accountId);
  const wanted = ids ? members.where(sql<boolean>`m.person_id = any(${[...ids]}::uuid[])`) : members.limit(maxContacts);
  const rows = await wanted.orderBy('m.created_at').orderBy('m.person_id').execute();
  return rows.map(({ role, own, ...row }) => ({ ...row, permissions: permissionsOfRole(role, own) }));
}

export async function membersAmong(tx: Tx, accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('member')
    .select('person_id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`person_id = any(${[...ids]}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.person_id));
}
