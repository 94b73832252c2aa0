import type { AlarmState, alarms as contract, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import { members } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { type AlarmRow, applyChange, type Change } from './alarm-changes.ts';
import { silenceEnd } from './silence-end.ts';
import { alarmTables } from './tables.ts';

type Changed = { changed: number };

/** In a row of the operation log. */
const maxNames = 5;

export interface ActionsDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
}

/** Writes one log row per call and an event per incident. */
export function createAlarmActions({ database, bus, clock }: ActionsDeps) {
  function lockOpen(tx: Tx, accountId: string, ids: readonly string[], withCaused = false) {
    return alarmTables(tx)
      .selectFrom('alarm')
      .selectAll()
      .where('account_id', '=', accountId)
      .where((where) =>
        where.or([where('id', 'in', [...ids]), ...(withCaused ? [where('cause_id', 'in', [...ids])] : [])]),
      )
      .where('state', '<>', 'recovered')
      .orderBy('id')
      .forUpdate()
      .execute();
  }

  /** Changes incidents, timelines and log; notifies open pages. */
  async function change(
    tx: Tx,
    acting: Acting,
    rows: readonly AlarmRow[],
    act: Change & { action: string; after?: object },
  ): Promise<Changed> {
    const first = rows[0];
    if (!first) return { changed: 0 };
    await applyChange(tx, { bus, at: clock.now() }, acting, rows, act);
    const one = rows.length === 1;
    const names = rows.slice(0, maxNames).map(({ name }) => name);
    await record(tx, acting, {
      action: act.action,
      object: one
        ? { type: 'alarm', id: first.id, name: first.name }
        : { type: 'selection', id: newId(), name: names.join(', ') },
      gwid: one ? first.gwid : null,
      before: {
        alarms: rows.slice(0, maxNames).map(({ id, kind, state }) => ({ id, kind, state })),
        total: rows.length,
      },
      after: {
        ...(act.note && { note: act.note }),
        ...(act.until && { until: act.until.toISOString() }),
        ...act.after,
      },
    });
    return { changed: rows.length };
  }

  /** Names the caller, or a member of the account. */
  async function assigneeName(acting: Acting, id: string): Promise<string> {
    if (id === acting.userId && acting.actor) return acting.actor.name;
    const name = await database.withSystem((tx) => members.memberName(tx, acting.accountId, id));
    return name ?? invalid('assignee', 'validation.choice');
  }

  return {
    async acknowledge(tx: Tx, acting: Acting, input: InputOf<typeof contract.acknowledge>): Promise<Changed> {
      const { ids, note, assignee } = input;
      const name = assignee ? await assigneeName(acting, assignee) : null;
      const rows = await lockOpen(tx, acting.accountId, ids);
      const assigned = assignee === undefined ? {} : { assignee_id: assignee, assignee_name: name };
      return change(tx, acting, rows, {
        type: 'acknowledged',
        action: 'alarm.acknowledge',
        note,
        after: assignee === undefined ? {} : { assignee: name },
        set: {
          state: sql<AlarmState>`case when state = 'silenced' then state else 'acknowledged' end`,
          acknowledged_at: clock.now(),
          acknowledged_by: acting.actor?.name ?? acting.source,
          ...(note && { note }),
          ...assigned,
        },
      });
    },

    async silence(tx: Tx, acting: Acting, input: InputOf<typeof contract.silence>): Promise<Changed> {
      const until = silenceEnd(input, clock.now());
      const rows = await lockOpen(tx, acting.accountId, input.ids);
      return change(tx, acting, rows, {
        type: 'silenced',
        action: 'alarm.silence',
        note: input.note,
        until,
        set: { state: 'silenced', silenced_until: until, ...(input.note && { note: input.note }) },
      });
    },

    async unsilence(tx: Tx, acting: Acting, ids: readonly string[]): Promise<Changed> {
      const rows = (await lockOpen(tx, acting.accountId, ids)).filter(({ state }) => state === 'silenced');
      return change(tx, acting, rows, {
        type: 'unsilenced',
        action: 'alarm.unsilence',
        set: {
          state: sql<AlarmState>`case when acknowledged_at is null then 'firing' else 'acknowledged' end`,
          silenced_until: null,
        },
      });
    },

    async resolve(tx: Tx, acting: Acting, input: InputOf<typeof contract.resolve>): Promise<Changed> {
      const rows = await lockOpen(tx, acting.accountId, input.ids, true);
      return change(tx, acting, rows, {
        type: 'resolved',
        action: 'alarm.resolve',
        note: input.note,
        set: { state: 'recovered', recovered_at: clock.now(), lasts: true, silenced_until: null },
      });
    },
  };
}
