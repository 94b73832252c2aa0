import { createHash } from 'node:crypto';
import type { LoggedKind } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { appendSignIn, type SignInRow } from './sign-in-store.ts';
import { append, isUndoable, nextLink, type OperationLogTable } from './store.ts';

/** What a change says of itself to the operation log. */
export interface Operation {
  /** `network.rename`, `device.unbind`, …: a key of the web's catalogue under `action.`. */
  action: string;
  object: { type: LoggedKind; id: string; name: string };
  /** The network it happened in, where there is one. */
  gwid?: string | null;
  before?: unknown;
  after?: unknown;
  /** The call that undoes it: an endpoint path and its input. */
  inverse?: { path: string; input: unknown };
  jobId?: string;
  /** It leaves its object as it was (a restart, a test): what was done to the object before can still be undone. */
  command?: true;
  result?: 'success' | 'failed';
}

/**
 * Appends an operation to the account's hash-chained log, in the transaction of the change itself.
 * Secrets never belong into `before` and `after`; the caller masks them.
 * @throws Failure changedMeanwhile when this takes back an operation whose object is no longer as that left it
 */
export async function record(tx: Tx, acting: Acting, operation: Operation): Promise<void> {
  // from here on nobody else writes into this log until the transaction ends
  const { seq, prev } = await nextLink(tx, acting.accountId);
  // what is told to another account's log at the same time undoes nothing there
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

/** Transactions that take an operation back, and were found to come in time: what they log themselves is no change since. */
const inTime = new WeakSet<object>();

async function holdUndone(tx: Tx, accountId: string, undoes: number): Promise<void> {
  if (inTime.has(tx)) return;
  if (!(await isUndoable(tx, accountId, undoes))) throw new Failure('changedMeanwhile');
  inTime.add(tx);
}

/** The account whose member acts here by hosting; null for somebody's doing in the own account. */
function hostedFrom({ actor, accountId }: Acting): string | null {
  return actor?.grant && actor.accountId === accountId && actor.grant.to !== accountId ? actor.grant.to : null;
}

/** SHA-256 over the previous hash and the row's own values, keys in alphabetical order. */
export function linkHash(row: Omit<OperationLogTable, 'hash'>): Buffer {
  const { prev_hash, token_name, undoes, command, ...values } = row;
  // rows from before there were tokens, undoing and commands have none
  const later = Object.fromEntries(
    Object.entries({ token_name, undoes, command }).filter(([, value]) => value !== null),
  );
  return createHash('sha256')
    .update(prev_hash)
    .update(canonical({ ...values, ...later }))
    .digest();
}

/** JSON with sorted keys; what jsonb gives back may be ordered otherwise than what was written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner) && !(inner instanceof Date)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Appends to the sign-in log: one row per sign-in, failed sign-in and sign-out of a known person. */
export async function recordSignIn(tx: Tx, entry: Omit<SignInRow, 'id'>): Promise<void> {
  await appendSignIn(tx, { ...entry, id: newId() });
}
