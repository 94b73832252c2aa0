import { type RawBuilder, sql } from 'kysely';
import { addDays, dayOf, hourOf, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { ceilTo, hour } from '../layers.ts';
import { series } from './series.ts';
import type { Scope } from './types.ts';

/** Local hours. */
const partsFrom = [0, 6, 11, 14, 19] as const;
const columns = ['flow_0_6', 'flow_6_11', 'flow_11_14', 'flow_14_19', 'flow_19_24'] as const;

export type DayParts = [number, number, number, number, number];

export interface UplinkQuery extends Scope {
  /** Local days, both inclusive. */
  from: string;
  to: string;
  zone: string;
}

function rowsOf(gwids: readonly string[] | null): RawBuilder<unknown> {
  return gwids ? sql`gwid = any(${[...gwids]}::uuid[])` : sql`gwid = '00000000-0000-0000-0000-000000000000'`;
}

/** Reads closed days from their rows, others from hours. */
export async function uplinkFlow(tx: Tx, accountId: string, query: UplinkQuery): Promise<DayParts> {
  const { from, to, gwids, zone } = query;
  const { rows } = await sql<Record<(typeof columns)[number], number> & { open: string }>`
    select to_char(greatest(coalesce((select until from uplink_progress where account_id = ${accountId}), ${from}::date), ${from}::date), 'YYYY-MM-DD') as open,
      ${sql.join(columns.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0)::bigint as ${sql.ref(column)}`))}
    from uplink_day
    where account_id = ${accountId} and ${rowsOf(gwids)} and day between ${from}::date and ${to}::date
      and day < (select until from uplink_progress where account_id = ${accountId})
  `.execute(tx);
  const { open, ...closed } = rows[0]!;
  const parts = columns.map((column) => closed[column]) as DayParts;
  if (open > to) return parts;
  const rest = await series(tx, accountId, {
    scope: 'account',
    ids: gwids,
    step: '1h',
    want: ['networkWan'],
    from: firstHour(open, zone),
    to: firstHour(addDays(to, 1), zone),
  });
  for (const { bucket, networkWan } of rest) parts[partOf(bucket, zone)] += networkWan;
  return parts;
}

/** Gives an hour around midnight to the day before, like closed days. */
function firstHour(day: string, zone: string): Date {
  return ceilTo(hour, startOfDay(day, zone));
}

function partOf(bucket: Date, zone: string): 0 | 1 | 2 | 3 | 4 {
  const hour = hourOf(bucket, zone);
  return partsFrom.findLastIndex((from) => from <= hour) as 0 | 1 | 2 | 3 | 4;
}

export async function firstDay(
  tx: Tx,
  accountId: string,
  { gwids, zone }: Scope & { zone: string },
): Promise<string | null> {
  const rolled = gwids
    ? sql`rollup_network_1h where account_id = ${accountId} and gwid = any(${[...gwids]}::uuid[])`
    : sql`rollup_account_1h where account_id = ${accountId}`;
  const among = gwids ? sql`and gwid = any(${[...gwids]}::uuid[])` : sql``;
  const { rows } = await sql<{ closed: string | null; at: Date | null }>`
    select (select to_char(min(day), 'YYYY-MM-DD') from uplink_day where account_id = ${accountId} and ${rowsOf(gwids)}) as closed,
      coalesce((select min(bucket) from ${rolled}),
        (select min(at) from device_sample where account_id = ${accountId} ${among})) as at
  `.execute(tx);
  const { closed, at } = rows[0]!;
  const open = at ? dayOf(at, zone) : null;
  return [closed, open].filter((day) => day !== null).toSorted()[0] ?? null;
}
