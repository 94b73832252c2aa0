import { alarms as contract, type DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type AlarmTable, alarmTables } from './tables.ts';

type Similar = DataOf<typeof contract.similar>;
type End = NonNullable<Similar['list'][number]['end']>;

interface Row extends Pick<AlarmTable, 'id' | 'began_at' | 'recovered_at' | 'count' | 'value' | 'note'> {
  end: End | null;
  person: string | null;
  end_note: string | null;
  total: number;
}

const { similar: maxListed, similarDays } = contract.alarmLimits;

/**
 * Returns earlier incidents about the same object: network, device and part.
 * @throws Failure notFound
 */
export async function similarAlarms(tx: Tx, accountId: string, now: Date, id: string): Promise<Similar> {
  const alarm = await alarmTables(tx)
    .selectFrom('alarm')
    .select(['kind', 'gwid', 'serial', 'part', 'began_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!alarm) throw new Failure('notFound');
  const { kind, gwid, serial, part, began_at: before } = alarm;
  const since = new Date(before.getTime() - similarDays * 86_400_000);
  // the index of devices, or of networks where it is about the network
  const object = serial === null ? sql`a.serial is null` : sql`a.serial = ${serial}`;
  const { rows } = await sql<Row>`
    select a.id, a.began_at, a.recovered_at, a.count, a.value, a.note, e.type as end, e.person, e.note as end_note,
      count(*) over ()::int as total
    from alarm a left join lateral (
      select type, person, note from alarm_event e
      where a.recovered_at is not null and e.account_id = a.account_id and e.alarm_id = a.id
        and e.type in ('recovered', 'resolved', 'uncovered') order by e.at desc, e.id desc limit 1) e on true
    where a.account_id = ${accountId} and a.gwid is not distinct from ${gwid}::uuid and a.kind = ${kind} and a.part = ${part} and ${object}
      and a.id <> ${id} and a.began_at < ${before} and a.began_at >= ${since}
    order by a.began_at desc, a.id limit ${maxListed}`.execute(tx);
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map(({ id: other, began_at: began, recovered_at: recovered, count, value, note, ...ended }) => ({
      id: other,
      began_at: began.toISOString(),
      recovered_at: recovered?.toISOString() ?? null,
      count,
      value,
      seconds: Math.round(((recovered ?? now).getTime() - began.getTime()) / 1000),
      end: ended.end,
      person: ended.end === 'resolved' ? ended.person : null,
      note: ended.end_note || note,
    })),
  };
}
