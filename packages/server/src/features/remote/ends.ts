import type { RemoteEndReason } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { record } from '../logs/index.ts';
import { publishFact } from './subjects.ts';
import { type RemoteSession, remoteTables } from './tables.ts';

export interface EndOf {
  accountId: string;
  ids?: readonly string[];
  serials?: readonly string[];
  waiting?: true;
}

export interface EndDetails {
  detail?: string | null;
  bytesUp?: number;
  bytesDown?: number;
}

export function createSessionEnds({ bus, clock }: { bus: Bus; clock: Clock }) {
  return {
    /** Ends open sessions; the process that holds one closes it after the commit. @returns those that it ended */
    async end(
      tx: Tx,
      acting: Acting,
      { accountId, ids, serials, waiting }: EndOf,
      reason: RemoteEndReason,
      { detail = null, bytesUp, bytesDown }: EndDetails = {},
    ): Promise<RemoteSession[]> {
      if (ids?.length === 0 || serials?.length === 0) return [];
      const ended = await remoteTables(tx)
        .updateTable('remote_session')
        .set({
          ended_at: clock.now(),
          end_reason: reason,
          end_detail: detail,
          token_hash: null,
          ...(bytesUp === undefined ? {} : { bytes_up: bytesUp }),
          ...(bytesDown === undefined ? {} : { bytes_down: bytesDown }),
        })
        .where('account_id', '=', accountId)
        .where('ended_at', 'is', null)
        .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? [])]))
        .$if(serials !== undefined, (query) => query.where('serial', 'in', [...(serials ?? [])]))
        .$if(waiting === true, (query) => query.where('connected_at', 'is', null))
        .returningAll()
        .returning(sql<string | null>`host(host)`.as('host'))
        .execute();
      for (const row of ended) {
        await record(tx, acting, {
          action: 'remote.end',
          object: targetOf(row),
          gwid: row.gwid,
          after: { kind: row.kind, reason, ...(detail === null ? {} : { detail }) },
          command: true,
        });
        afterCommit(tx, () => publishFact(bus, row.id, { type: 'ended', reason, detail }));
      }
      return ended;
    },

    async count(
      tx: Tx,
      { accountId, id }: { accountId: string; id: string },
      { bytesUp, bytesDown }: { bytesUp: number; bytesDown: number },
    ): Promise<void> {
      await remoteTables(tx)
        .updateTable('remote_session')
        .set({ bytes_up: bytesUp, bytes_down: bytesDown })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
    },
  };
}

export type SessionEnds = ReturnType<typeof createSessionEnds>;

export function targetOf(row: Pick<RemoteSession, 'peripheral_id' | 'serial' | 'target'>) {
  return row.peripheral_id === null
    ? ({ type: 'device', id: row.serial, name: row.target } as const)
    : ({ type: 'peripheral', id: row.peripheral_id, name: row.target } as const);
}
