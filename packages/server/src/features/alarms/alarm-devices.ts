import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { UnbindParticipant } from '../fleet/index.ts';
import { placeIn } from './account-place.ts';
import { announceAlarms } from './announce.ts';
import { insertAlarmEvents } from './incident-store.ts';
import { decideNotices } from './notify/decide.ts';
import { forgetNetworkOfSubscriptions } from './notify/unbind.ts';
import { forgetNetworkOfRules } from './rule-store.ts';
import { type AlarmTable, alarmTables } from './tables.ts';

type AlarmRow = Omit<AlarmTable, 'subject'>;

export function createAlarmDevices({ bus, clock }: { bus: Bus; clock: Clock }) {
  /** Makes incidents whose cause was deleted independent. @returns their networks */
  async function unfold(tx: Tx, accountId: string, causes: readonly string[]): Promise<(string | null)[]> {
    const children = await alarmTables(tx)
      .updateTable('alarm')
      .set({ cause_id: null })
      .where('account_id', '=', accountId)
      .where('cause_id', '=', sql<string>`any(${[...causes]}::uuid[])`)
      .returning(['id', 'gwid', 'kind', 'level', 'state', 'serial'])
      .execute();
    const at = clock.now().getTime();
    const events = children.map(({ id }) => ({ incident: id, at, type: 'unfolded' as const }));
    await insertAlarmEvents(tx, accountId, events);
    await decideNotices(
      tx,
      accountId,
      children.map((one) => ({
        ...one,
        gwid: placeIn(accountId, one.gwid),
        cause: null,
        type: 'unfolded' as const,
        at: new Date(at),
      })),
    );
    return children.map(({ gwid }) => gwid);
  }

  return {
    unbind: {
      part: 'alarm',
      async remove(tx, { accountId, gwid, serials }) {
        const gone = await alarmTables(tx)
          .deleteFrom('alarm')
          .where('account_id', '=', accountId)
          .where((where) =>
            where.or([
              ...(gwid ? [where('gwid', '=', gwid)] : []),
              ...(serials.length > 0 ? [where('serial', '=', sql<string>`any(${[...serials]}::text[])`)] : []),
              where.lit(false),
            ]),
          )
          .returning(['id', 'gwid'])
          .execute();
        const freed = await unfold(
          tx,
          accountId,
          gone.map(({ id }) => id),
        );
        announceAlarms(tx, bus, accountId, [...gone.map((row) => row.gwid), ...freed]);
        return gone.length + (gwid ? await forgetNetwork(tx, accountId, gwid) : 0);
      },
    } satisfies UnbindParticipant,

    async carry(tx: Tx, { accountId }: Acting, from: string, to: string): Promise<void> {
      const at = clock.now();
      const { rows: closed } = await sql<Pick<AlarmRow, 'id' | 'kind' | 'level' | 'gwid' | 'serial'>>`
        update alarm o set state = 'recovered', recovered_at = ${at}, lasts = false, silenced_until = null
        where o.account_id = ${accountId} and o.serial = ${from} and o.state <> 'recovered' and exists (
          select from alarm n where n.account_id = o.account_id and n.serial = ${to} and n.kind = o.kind
            and n.part = o.part and n.state <> 'recovered')
        returning o.id, o.kind, o.level, o.gwid, o.serial
      `.execute(tx);
      await insertAlarmEvents(
        tx,
        accountId,
        closed.map(({ id }) => ({ incident: id, at: at.getTime(), type: 'recovered' as const })),
      );
      await decideNotices(
        tx,
        accountId,
        closed.map((one) => ({
          ...one,
          gwid: placeIn(accountId, one.gwid),
          cause: null,
          state: 'recovered' as const,
          type: 'recovered' as const,
          at,
        })),
      );
      await alarmTables(tx)
        .updateTable('alarm')
        .set({ serial: to })
        .where('account_id', '=', accountId)
        .where('serial', '=', from)
        .execute();
    },
  };
}

/** Changes the scopes of rules and subscriptions. */
async function forgetNetwork(tx: Tx, accountId: string, gwid: string): Promise<number> {
  const rules = await forgetNetworkOfRules(tx, accountId, gwid);
  return rules + (await forgetNetworkOfSubscriptions(tx, accountId, gwid));
}
