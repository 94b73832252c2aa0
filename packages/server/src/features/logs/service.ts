import type { DataOf, logs } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { linkHash } from './audit.ts';
import { type LoggedSignIn, listSignIns, type SignInFilter } from './sign-in-store.ts';
import { chainAfter, head, listOperations, type OperationFilter, type OperationLogTable } from './store.ts';
import type { Undo } from './undo.ts';

export type OperationRow = DataOf<typeof logs.actionList>['list'][number];
export type SignInEntry = DataOf<typeof logs.authList>['list'][number];

interface Paging {
  page?: number | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
}

function pageOf({ page = 1, limit = 10, order }: Paging) {
  return { offset: (page - 1) * limit, limit, descending: order !== 'asc' };
}

export async function operations(
  tx: Tx,
  acting: Acting,
  query: OperationFilter & Paging,
  undo: Undo,
): Promise<{ list: OperationRow[]; total: number }> {
  const { rows, total } = await listOperations(tx, acting.accountId, query, pageOf(query));
  const list = rows.map((row) => ({
    ...presentOperation(row),
    undoable: row.undoable && undo.isFor(acting, row),
    undo_permission: undo.permissionOf(row),
  }));
  return { list, total };
}

export async function signIns(
  tx: Tx,
  accountId: string,
  query: SignInFilter & Paging,
): Promise<{ list: SignInEntry[]; total: number }> {
  const { rows, total } = await listSignIns(tx, accountId, query, pageOf(query));
  return { list: rows.map(presentSignIn), total };
}

export function presentSignIn(row: LoggedSignIn): SignInEntry {
  return {
    id: row.id,
    time: row.at.toISOString(),
    login: row.login,
    action: row.action as SignInEntry['action'],
    method: row.method as SignInEntry['method'],
    ip: row.ip,
    user_agent: row.user_agent,
    new_place: row.new_place,
    result: row.result as SignInEntry['result'],
    reason: row.reason,
  };
}

export function presentOperation(row: OperationLogTable): Omit<OperationRow, 'undoable' | 'undo_permission'> {
  return {
    seq: row.seq,
    time: row.at.toISOString(),
    operator: row.operator,
    hosted: row.operator_account_id !== null,
    token_name: row.token_name,
    source: row.source as OperationRow['source'],
    ip: row.ip,
    action: row.action,
    object: { type: row.object_type, id: row.object_id, name: row.object_name },
    gwid: row.gwid,
    result: row.result as OperationRow['result'],
    before: row.before,
    after: row.after,
    job_id: row.job_id,
    undoes: row.undoes,
  };
}

const verifyBatch = 1000;

/**
 * Recomputes the chain; `broken_at`: first invalid or missing row. During appends the earlier head must be found, and
 * the end not exceed the later head.
 */
export async function verifyChain(
  tx: Tx,
  accountId: string,
): Promise<DataOf<typeof logs.actionVerify> & { rows: number }> {
  const before = await head(tx, accountId);
  let seq = 0;
  let prev: Buffer = Buffer.alloc(32);
  for (;;) {
    const rows = await chainAfter(tx, accountId, seq, verifyBatch);
    for (const row of rows) {
      const { hash, ...rest } = row;
      const follows = row.seq === seq + 1 && row.prev_hash.equals(prev) && linkHash(rest).equals(hash);
      if (!follows || (row.seq === before?.seq && !before.hash.equals(hash)))
        return { rows: seq, intact: false, broken_at: seq + 1 };
      seq = row.seq;
      prev = hash;
    }
    if (rows.length < verifyBatch) break;
  }
  const after = await head(tx, accountId);
  const intact = (before?.seq ?? 0) <= seq && seq <= (after?.seq ?? 0);
  return { rows: seq, intact, broken_at: intact ? null : seq + 1 };
}
