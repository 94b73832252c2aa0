import type { AnyEndpoint, Permission } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { Failure } from '../../platform/failure.ts';
import type { Caller, Identity, InTenant } from '../../platform/http/call.ts';
import type { Calls } from '../../platform/http/invoke.ts';
import { findOperation, isUndoable, type OperationLogTable } from './store.ts';

interface Inverse {
  path: string;
  input: unknown;
}

export interface UndoCall {
  inTenant: InTenant;
  identity: Identity;
  acting: Acting;
  caller: Caller;
}

export type Undo = ReturnType<typeof createUndo>;

/** Calls the inverse with the caller's rights; the entry has an inverse for redo. */
export function createUndo(calls: Calls) {
  const endpointOf = ({ inverse }: OperationLogTable): AnyEndpoint | undefined =>
    inverse ? calls.endpoint((inverse as Inverse).path) : undefined;

  /** Rejects personal calls of others. */
  function isFor({ accountId, actor, userId }: Acting, row: OperationLogTable): boolean {
    const endpoint = endpointOf(row);
    if (!endpoint?.personal) return endpoint !== undefined;
    return row.person_id === userId && actor?.homeAccountId === accountId;
  }

  return {
    isFor,

    permissionOf: (row: OperationLogTable): Permission | null => endpointOf(row)?.permission ?? null,

    /**
     * @returns the started job
     * @throws Failure notUndoable; changedMeanwhile; errors of the inverse, mainly noPermission
     */
    async undo({ inTenant, acting, caller, identity }: UndoCall, seq: number): Promise<{ job_id: string | null }> {
      const { row, fresh } = await inTenant(async (tx) => ({
        row: await findOperation(tx, acting.accountId, seq),
        fresh: await isUndoable(tx, acting.accountId, seq),
      }));
      if (!row?.inverse || !isFor(acting, row)) throw new Failure('notUndoable');
      // the log checks again in the change's transaction
      if (!fresh) throw new Failure('changedMeanwhile');
      const { path, input } = row.inverse as Inverse;
      const data = await calls.invoke(path, input, { identity, caller, undoes: seq });
      return { job_id: (data as { job_id?: string | null } | null)?.job_id ?? null };
    },
  };
}
