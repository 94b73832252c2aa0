import type { AnyEndpoint, Permission } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { Failure } from '../../platform/failure.ts';
import type { Caller, Identity, InTenant } from '../../platform/http/call.ts';
import type { Calls } from '../../platform/http/invoke.ts';
import { findOperation, isUndoable, type OperationLogTable } from './store.ts';

/** The call that undoes an operation. */
interface Inverse {
  path: string;
  input: unknown;
}

/** Who asks for an operation to be undone. */
export interface UndoCall {
  inTenant: InTenant;
  identity: Identity;
  acting: Acting;
  caller: Caller;
}

export type Undo = ReturnType<typeof createUndo>;

/**
 * Undoes operations: makes the call that was recorded as an operation's inverse, with the rights of whoever asks. The row
 * that this leaves in the log names what it took back and has an inverse of its own, by which it is done again.
 */
export function createUndo(calls: Calls) {
  const endpointOf = ({ inverse }: OperationLogTable): AnyEndpoint | undefined =>
    inverse ? calls.endpoint((inverse as Inverse).path) : undefined;

  /** A call about the caller's own person would undo, for anybody else, something of the wrong person. */
  function isFor({ accountId, actor, userId }: Acting, row: OperationLogTable): boolean {
    const endpoint = endpointOf(row);
    if (!endpoint?.personal) return endpoint !== undefined;
    return row.person_id === userId && actor?.homeAccountId === accountId;
  }

  return {
    isFor,

    /** The permission that undoing an operation asks; null when it needs none, or cannot be undone. */
    permissionOf: (row: OperationLogTable): Permission | null => endpointOf(row)?.permission ?? null,

    /**
     * @returns the job that the inverse started, if it did
     * @throws Failure notUndoable; changedMeanwhile when the object is no longer as the operation left it; whatever the
     *   inverse itself answers, noPermission above all
     */
    async undo({ inTenant, acting, caller, identity }: UndoCall, seq: number): Promise<{ job_id: string | null }> {
      const { row, fresh } = await inTenant(async (tx) => ({
        row: await findOperation(tx, acting.accountId, seq),
        fresh: await isUndoable(tx, acting.accountId, seq),
      }));
      if (!row?.inverse || !isFor(acting, row)) throw new Failure('notUndoable');
      // asked again by the log itself, in the transaction of the change
      if (!fresh) throw new Failure('changedMeanwhile');
      const { path, input } = row.inverse as Inverse;
      const data = await calls.invoke(path, input, { identity, caller, undoes: seq });
      return { job_id: (data as { job_id?: string | null } | null)?.job_id ?? null };
    },
  };
}
