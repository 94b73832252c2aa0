import type { Generated, Insertable } from 'kysely';
import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

export interface OperationLogTable {
  account_id: string;
  seq: number;
  at: Date;
  person_id: string | null;
  operator: string;
  operator_account_id: string | null;
  source: string;
  ip: string | null;
  action: string;
  object_type: string;
  object_id: string;
  object_name: string;
  gwid: string | null;
  result: string;
  before: unknown;
  after: unknown;
  inverse: unknown;
  job_id: string | null;
  token_name: string | null;
  prev_hash: Buffer;
  hash: Buffer;
}

interface LogTables {
  operation_log: OperationLogTable;
  operation_log_head: { account_id: string; seq: number; hash: Buffer };
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
  person: { account_id: string; id: string; email: string | null; mobile: string | null };
}

export type SignInRow = Insertable<LogTables['sign_in_log']>;

/** Takes the next number of the account's chain; the row stays locked until the transaction ends, so rows are in order. */
export async function nextLink(tx: Tx, accountId: string): Promise<{ seq: number; prev: Buffer }> {
  const row = await tables<LogTables>(tx)
    .insertInto('operation_log_head')
    .values({ account_id: accountId, seq: 1, hash: Buffer.alloc(32) })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ seq: sql`operation_log_head.seq + 1` }))
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
  return { seq: row.seq, prev: row.hash };
}

/** Appends a row and moves the head of the chain to it. */
export async function append(tx: Tx, row: OperationLogTable): Promise<void> {
  const db = tables<LogTables>(tx);
  await db
    .insertInto('operation_log')
    .values({ ...row, before: json(row.before), after: json(row.after), inverse: json(row.inverse) })
    .execute();
  await db.updateTable('operation_log_head').set({ hash: row.hash }).where('account_id', '=', row.account_id).execute();
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

export interface OperationFilter {
  keyword?: string | undefined;
  action?: string | undefined;
  object_type?: string | undefined;
  object_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A page of the log and the count of all rows that fit. */
export async function listOperations(
  tx: Tx,
  accountId: string,
  filter: OperationFilter,
  page: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: OperationLogTable[]; total: number }> {
  let query = tables<LogTables>(tx).selectFrom('operation_log').where('account_id', '=', accountId);
  if (filter.action) query = query.where('action', '=', filter.action);
  if (filter.object_type) query = query.where('object_type', '=', filter.object_type);
  if (filter.object_id) query = query.where('object_id', '=', filter.object_id);
  if (filter.from) query = query.where('at', '>=', new Date(filter.from));
  if (filter.to) query = query.where('at', '<', new Date(filter.to));
  if (filter.keyword) {
    const pattern = `%${filter.keyword.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where((where) =>
      where.or([
        where('operator', 'ilike', pattern),
        where('object_name', 'ilike', pattern),
        where('object_id', 'ilike', pattern),
        where('action', 'ilike', pattern),
      ]),
    );
  }
  const rows = await query
    .selectAll()
    .orderBy('seq', page.descending ? 'desc' : 'asc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

/** Rows of the chain in order, from after `seq`. */
export function chainAfter(tx: Tx, accountId: string, seq: number, limit: number): Promise<OperationLogTable[]> {
  return tables<LogTables>(tx)
    .selectFrom('operation_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** Where the chain should end; null when nothing was ever logged. */
export function head(tx: Tx, accountId: string): Promise<{ seq: number; hash: Buffer } | undefined> {
  return tables<LogTables>(tx)
    .selectFrom('operation_log_head')
    .select(['seq', 'hash'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Appends to the sign-in log. */
export async function appendSignIn(tx: Tx, row: SignInRow): Promise<void> {
  await tables<LogTables>(tx).insertInto('sign_in_log').values(row).execute();
}
