import type { AlarmEventType } from '@yunxun/contract';
import { sql, type UpdateObject } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { placeIn } from './account-place.ts';
import { announceAlarms } from './announce.ts';
import { decideNotices } from './notify/decide.ts';
import { type AlarmTable, alarmTables } from './tables.ts';

export type AlarmRow = Omit<AlarmTable, 'subject'>;

export interface Change {
  type: AlarmEventType;
  set: UpdateObject<{ alarm: AlarmTable }, 'alarm'>;
  note?: string | undefined;
  until?: Date;
}

/** Changes locked incidents; informs timelines, subscriptions and open pages. */
export async function applyChange(
  tx: Tx,
  { bus, at }: { bus: Bus; at: Date },
  acting: Acting,
  rows: readonly AlarmRow[],
  act: Change,
): Promise<void> {
  const { accountId } = acting;
  const person = acting.actor?.name ?? acting.source;
  // a cause may have thousands of children: array parameters
  const ids = rows.map(({ id }) => id);
  const changed = await alarmTables(tx)
    .updateTable('alarm')
    .set(act.set)
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(['id', 'state'])
    .execute();
  const after = new Map(changed.map(({ id, state }) => [id, state]));
  await sql`
    insert into alarm_event (account_id, id, alarm_id, at, type, person, note, until)
    select ${accountId}::uuid, e.id, e.alarm_id, ${at}::timestamptz, ${act.type}, ${person}::text,
      ${act.note || null}::text, ${act.until ?? null}::timestamptz
    from unnest(${ids.map(() => newId())}::uuid[], ${ids}::uuid[]) as e (id, alarm_id)
  `.execute(tx);
  await decideNotices(
    tx,
    accountId,
    rows.map(({ id, kind, level, gwid, serial, cause_id: cause }) => ({
      id,
      kind,
      level,
      state: after.get(id)!,
      gwid: placeIn(accountId, gwid),
      serial,
      cause,
      type: act.type,
      at,
    })),
  );
  announceAlarms(
    tx,
    bus,
    accountId,
    rows.map(({ gwid }) => gwid),
  );
}
