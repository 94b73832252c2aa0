import { createHash } from 'node:crypto';
import type { Acting } from '../../platform/acting.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { append, appendSignIn, nextLink, type OperationLogTable, type SignInRow } from './store.ts';

/** What a change says of itself to the operation log. */
export interface Operation {
  /** `network.rename`, `device.unbind`, …: a key of the web's catalogue under `action.`. */
  action: string;
  object: { type: string; id: string; name: string };
  /** The network it happened in, where there is one. */
  gwid?: string | null;
  before?: unknown;
  after?: unknown;
  /** The call that undoes it: an endpoint path and its input. */
  inverse?: { path: string; input: unknown };
  jobId?: string;
  result?: 'success' | 'failed';
}

/**
 * Appends an operation to the account's hash-chained log, in the transaction of the change itself.
 * Secrets never belong into `before` and `after`; the caller masks them.
 */
export async function record(tx: Tx, acting: Acting, operation: Operation): Promise<void> {
  const { seq, prev } = await nextLink(tx, acting.accountId);
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
    prev_hash: prev,
  };
  await append(tx, { ...row, hash: linkHash(row) });
}

/** The account whose member acts here by hosting; null for somebody's doing in the own account. */
function hostedFrom({ actor, accountId }: Acting): string | null {
  return actor && !actor.role && actor.homeAccountId !== accountId ? actor.homeAccountId : null;
}

/** SHA-256 over the previous hash and the row's own values, keys in alphabetical order. */
export function linkHash(row: Omit<OperationLogTable, 'hash'>): Buffer {
  const { prev_hash, token_name, ...values } = row;
  // rows from before there were tokens have none
  const signed = token_name === null ? values : { ...values, token_name };
  return createHash('sha256').update(prev_hash).update(canonical(signed)).digest();
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
