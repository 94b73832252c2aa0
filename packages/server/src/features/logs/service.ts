import type { DataOf, logs } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { linkHash } from './audit.ts';
import { chainAfter, head, listOperations, type OperationFilter, type OperationLogTable } from './store.ts';

type OperationRow = DataOf<typeof logs.actionList>['list'][number];

/** A page of the operation log as the console shows it. */
export async function operations(
  tx: Tx,
  accountId: string,
  query: OperationFilter & {
    page?: number | undefined;
    limit?: number | undefined;
    order?: 'asc' | 'desc' | undefined;
  },
): Promise<{ list: OperationRow[]; total: number }> {
  const limit = query.limit ?? 10;
  const offset = ((query.page ?? 1) - 1) * limit;
  const { rows, total } = await listOperations(tx, accountId, query, {
    offset,
    limit,
    descending: query.order !== 'asc',
  });
  return { list: rows.map(present), total };
}

function present(row: OperationLogTable): OperationRow {
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
    undoable: row.inverse !== null,
  };
}

const verifyBatch = 1000;

/**
 * Recomputes the account's chain; `broken_at` is the first row that does not follow, or the row missing at the end.
 * Others append while it reads: the head it had before must be met on the way, and the head it has afterwards not be
 * behind.
 */
export async function verifyChain(tx: Tx, accountId: string): Promise<DataOf<typeof logs.actionVerify>> {
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
