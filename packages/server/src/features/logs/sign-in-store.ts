import type { Generated, Insertable, Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { containing } from '../../platform/search/index.ts';

interface SignInTables {
  sign_in_log: {
    account_id: string;
    id: string;
    at: Generated<Date>;
    person_id: string | null;
    login: string;
    action: string;
    method: string;
    ip: string | null;
    user_agent: string | null;
    result: string;
    reason: string | null;
    new_place: Generated<boolean>;
  };
}

export type SignInRow = Insertable<SignInTables['sign_in_log']>;
export type LoggedSignIn = Selectable<SignInTables['sign_in_log']>;

export async function appendSignIn(tx: Tx, row: SignInRow): Promise<void> {
  await tables<SignInTables>(tx).insertInto('sign_in_log').values(row).execute();
}

export interface SignInFilter {
  keyword?: string | undefined;
  action?: string | undefined;
  method?: string | undefined;
  result?: string | undefined;
  person_id?: string | undefined;
  new_place?: boolean | undefined;
  order?: 'asc' | 'desc' | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

function filtered(tx: Tx, accountId: string, filter: SignInFilter) {
  let query = tables<SignInTables>(tx).selectFrom('sign_in_log').where('account_id', '=', accountId);
  for (const column of ['action', 'method', 'result', 'person_id'] as const) {
    const wanted = filter[column];
    if (wanted) query = query.where(column, '=', wanted);
  }
  if (filter.new_place !== undefined) query = query.where('new_place', '=', filter.new_place);
  if (filter.from) query = query.where('at', '>=', new Date(filter.from));
  if (filter.to) query = query.where('at', '<', new Date(filter.to));
  if (filter.keyword) {
    const pattern = containing(filter.keyword);
    query = query.where((where) =>
      where.or([
        where('login', 'ilike', pattern),
        where('ip', 'ilike', pattern),
        where('user_agent', 'ilike', pattern),
      ]),
    );
  }
  return query;
}

export async function listSignIns(
  tx: Tx,
  accountId: string,
  filter: SignInFilter,
  page: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: LoggedSignIn[]; total: number }> {
  const query = filtered(tx, accountId, filter);
  const direction = page.descending ? 'desc' : 'asc';
  const rows = await query
    .selectAll()
    .orderBy('at', direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Ids ascend with time. */
export function signInsBeyond(
  tx: Tx,
  accountId: string,
  filter: SignInFilter,
  id: string | null,
  limit: number,
): Promise<LoggedSignIn[]> {
  let query = filtered(tx, accountId, filter);
  const { order = 'desc' } = filter;
  if (id) query = query.where('id', order === 'asc' ? '>' : '<', id);
  return query.selectAll().orderBy('id', order).limit(limit).execute();
}
