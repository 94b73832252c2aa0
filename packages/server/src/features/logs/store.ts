import type { LoggedKind } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { containing, hasMac, macContaining, namesUuid } from '../../platform/search/index.ts';

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
  object_type: LoggedKind;
  object_id: string;
  object_name: string;
  gwid: string | null;
  result: string;
  before: unknown;
  after: unknown;
  inverse: unknown;
  job_id: string | null;
  token_name: string | null;
  undoes: number | null;
  command: boolean | null;
  prev_hash: Buffer;
  hash: Buffer;
}

interface LogTables {
  operation_log: OperationLogTable;
  operation_log_head: { account_id: string; seq: number; hash: Buffer };
}

/** Locks the chain's head until the end of the transaction. */
export async function nextLink(tx: Tx, accountId: string): Promise<{ seq: number; prev: Buffer }> {
  const row = await tables<LogTables>(tx)
    .insertInto('operation_log_head')
    .values({ account_id: accountId, seq: 1, hash: Buffer.alloc(32) })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ seq: sql`operation_log_head.seq + 1` }))
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow();
  return { seq: row.seq, prev: row.hash };
}

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
  keyword_actions?: string[] | undefined;
  action?: string | undefined;
  object_type?: string | undefined;
  object_id?: string | undefined;
  source?: string | undefined;
  result?: string | undefined;
  gwid?: string | undefined;
  token?: string | undefined;
  seq?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const objectIdMatches = (keyword: string) =>
  sql<boolean>`(object_id ilike ${containing(keyword)}${namesUuid(keyword) ? sql`` : sql` and length(object_id) <> 36`})`;

function filtered(tx: Tx, accountId: string, filter: OperationFilter) {
  let query = tables<LogTables>(tx).selectFrom('operation_log').where('account_id', '=', accountId);
  for (const column of ['action', 'object_type', 'object_id', 'source', 'result', 'gwid'] as const) {
    const wanted = filter[column];
    if (wanted) query = query.where(column, '=', wanted);
  }
  if (filter.seq) query = query.where('seq', '=', filter.seq);
  if (filter.token) query = query.where('token_name', '=', filter.token);
  if (filter.from) query = query.where('at', '>=', new Date(filter.from));
  if (filter.to) query = query.where('at', '<', new Date(filter.to));
  if (filter.keyword) {
    const pattern = containing(filter.keyword);
    const mac = macContaining(filter.keyword);
    const { keyword_actions: actions = [] } = filter;
    query = query.where((where) =>
      where.or([
        where('operator', 'ilike', pattern),
        where('token_name', 'ilike', pattern),
        where('object_name', 'ilike', pattern),
        objectIdMatches(filter.keyword!),
        where('action', 'ilike', pattern),
        ...(mac ? [hasMac('object_name', mac), hasMac('object_id', mac)] : []),
        ...(actions.length > 0 ? [where('action', 'in', actions)] : []),
      ]),
    );
  }
  return query;
}

export type ListedOperation = OperationLogTable & { undoable: boolean };

export async function listOperations(
  tx: Tx,
  accountId: string,
  filter: OperationFilter,
  page: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: ListedOperation[]; total: number }> {
  const query = filtered(tx, accountId, filter);
  const rows = await query
    .selectAll()
    .select(sql<boolean>`inverse is not null and platform.undoable(account_id, seq)`.as('undoable'))
    .orderBy('seq', page.descending ? 'desc' : 'asc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

export function operationsBeyond(
  tx: Tx,
  accountId: string,
  filter: OperationFilter,
  seq: number | null,
  limit: number,
): Promise<OperationLogTable[]> {
  let query = filtered(tx, accountId, filter);
  const { order = 'desc' } = filter;
  if (seq !== null) query = query.where('seq', order === 'asc' ? '>' : '<', seq);
  return query.selectAll().orderBy('seq', order).limit(limit).execute();
}

export function findOperation(tx: Tx, accountId: string, seq: number): Promise<OperationLogTable | undefined> {
  return tables<LogTables>(tx)
    .selectFrom('operation_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('seq', '=', seq)
    .executeTakeFirst();
}

/** Returns whether there is an inverse, no undo, no later change. */
export async function isUndoable(tx: Tx, accountId: string, seq: number): Promise<boolean> {
  const { rows } = await sql<{ undoable: boolean }>`select platform.undoable(${accountId}, ${seq}) as undoable`.execute(
    tx,
  );
  return rows[0]!.undoable;
}

export async function knownOperations(tx: Tx, seqs: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<LogTables>(tx)
    .selectFrom('operation_log')
    .select('seq')
    .where('seq', 'in', seqs.map(Number))
    .execute();
  return new Set(rows.map((row) => String(row.seq)));
}

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

/** Returns the expected end; null if empty. */
export function head(tx: Tx, accountId: string): Promise<{ seq: number; hash: Buffer } | undefined> {
  return tables<LogTables>(tx)
    .selectFrom('operation_log_head')
    .select(['seq', 'hash'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}
