import { createHash } from 'node:crypto';
import type { LoggedKind } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { appendSignIn, type SignInRow } from './sign-in-store.ts';
import { append, isUndoable, nextLink, type OperationLogTable } from './store.ts';

export interface Operation {
  /** Catalogue key under `action.`. */
  action: string;
  object: { type: LoggedKind; id: string; name: string };
  gwid?: string | null;
  before?: unknown;
  after?: unknown;
  inverse?: { path: string; input: unknown };
  jobId?: string;
  /** The object is unchanged: earlier operations stay undoable. */
  command?: true;
  result?: 'success' | 'failed';
}

/**
 * Appends to the hash chain in the change's transaction. The caller masks secrets.
 * @throws Failure changedMeanwhile if this undoes an operation whose object has changed since
 */
export async function record(tx: Tx, acting: Acting, operation: Operation): Promise<void> {
  // locks the log until the end of the transaction
  const { seq, prev } = await nextLink(tx, acting.accountId);
  // another account's entry undoes nothing
  const undoes = acting.undoes?.accountId === acting.accountId ? acting.undoes.seq : null;
  if (undoes !== null) await holdUndone(tx, acting.accountId, undoes);
  const row: Omit<OperationLogTable, 'hash'> = {
    account_id: acting.accountId,
    seq,
    at: new Date(),
    person_id: acting.userId,
    operator: acting.actor?.name ?? acting.source,
    operator_account_id: hostedFrom(acting),
    source: acting.source,
    ip: acting.ip,
    action: operation.action,
    object_type: operation.object.type,
    object_id: operation.object.id,
    object_name: operation.object.name,
    gwid: operation.gwid ?? null,
    result: operation.result ?? 'success',
    before: operation.before ?? null,
    after: operation.after ?? null,
    inverse: operation.inverse ?? null,
    job_id: operation.jobId ?? null,
    token_name: acting.actor?.token?.name ?? null,
    undoes,
    command: operation.command ?? null,
    prev_hash: prev,
  };
  await append(tx, { ...row, hash: linkHash(row) });
}

/** Valid undos, whose entries are no later changes. */
const inTime = new WeakSet<object>();

async function holdUndone(tx: Tx, accountId: string, undoes: number): Promise<void> {
  if (inTime.has(tx)) return;
  if (!(await isUndoable(tx, accountId, undoes))) throw new Failure('changedMeanwhile');
  inTime.add(tx);
}

/** Returns the account whose member acts by delegation. */
function hostedFrom({ actor, accountId }: Acting): string | null {
  return actor?.delegation && actor.accountId === accountId && actor.delegation.to !== accountId
    ? actor.delegation.to
    : null;
}

/** Hashes the previous hash and the sorted row (SHA-256). */
export function linkHash(row: Omit<OperationLogTable, 'hash'>): Buffer {
  const { prev_hash, token_name, undoes, command, ...values } = row;
  // later columns count only if set: old hashes stay valid
  const later = Object.fromEntries(
    Object.entries({ token_name, undoes, command }).filter(([, value]) => value !== null),
  );
  return createHash('sha256')
    .update(prev_hash)
    .update(canonical({ ...values, ...later }))
    .digest();
}

/** Sorts keys, whose order jsonb does not keep. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner) && !(inner instanceof Date)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export async function recordSignIn(tx: Tx, entry: Omit<SignInRow, 'id'>): Promise<void> {
  await appendSignIn(tx, { ...entry, id: newId() });
}
