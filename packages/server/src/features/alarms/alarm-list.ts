import type { alarms as contract, DataOf, InputOf, Locale, PowerSkip, PowerState } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { all, pageOf } from '../../platform/database/paging.ts';
import { Failure } from '../../platform/failure.ts';
import { containing, macContaining } from '../../platform/search/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { offlineKinds } from './problem-periods.ts';
import { ruleIdAt } from './rule-store.ts';
import { type AlarmTable, alarmTables } from './tables.ts';

type AlarmRow = Omit<AlarmTable, 'subject'>;
type Alarm = DataOf<typeof contract.list>['list'][number];

const maxDetail = 500;
const maxMessages = 10;

const severity = sql`array_position(array['FATAL', 'MIDDLE', 'GENERAL'], a.level)`;

/** Returns uncaused incidents, worst and newest first. */
export async function listAlarms(
  tx: Tx,
  accountId: string,
  now: Date,
  input: InputOf<typeof contract.list>,
): Promise<DataOf<typeof contract.list>> {
  const page = pageOf(input);
  const where = [sql`a.account_id = ${accountId}`, sql`a.cause_id is null`, inState(input.state)];
  for (const field of ['level', 'kind', 'gwid'] as const) {
    const value = input[field];
    if (value) where.push(sql`${sql.ref(`a.${field}`)} = ${value}`);
  }
  if (input.assignee) where.push(sql`a.assignee_id = ${input.assignee}`);
  if (input.to) where.push(sql`a.began_at <= ${input.to}::timestamptz`);
  if (input.from) where.push(sql`coalesce(a.recovered_at, 'infinity') >= ${input.from}::timestamptz`);
  if (input.keyword) where.push(says(input.keyword));
  const from = sql`from alarm a where ${all(where)}`;
  const { rows } = await sql<AlarmRow>`
    select a.* ${from} ${orderOf(input, now)} limit ${page.limit} offset ${page.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx);
  return { list: await present(tx, accountId, now, rows), total: counted.rows[0]?.total ?? 0 };
}

function inState(state: InputOf<typeof contract.list>['state']): RawBuilder<unknown> {
  if (state === 'all') return sql`true`;
  return state ? sql`a.state = ${state}` : sql`a.state <> 'recovered'`;
}

function says(keyword: string): RawBuilder<unknown> {
  const text = containing(keyword);
  const serial = macContaining(keyword);
  const names = (alias: string) => {
    const ref = (column: string) => sql.ref(`${alias}.${column}`);
    const bySerial = serial ? sql` or ${ref('serial')} like ${serial}` : sql``;
    return sql`(${ref('name')} ilike ${text} or ${ref('network')} ilike ${text} or ${ref('note')} ilike ${text}${bySerial})`;
  };
  return sql`(${names('a')} or exists (
    select from alarm c where c.account_id = a.account_id and c.cause_id = a.id and ${names('c')}))`;
}

function orderOf({ sort, order }: InputOf<typeof contract.list>, now: Date): RawBuilder<unknown> {
  const newest = sql`a.began_at desc, a.id desc`;
  if (!sort) return sql`order by ${severity}, ${newest}`;
  const lasted = sql`coalesce(a.recovered_at, ${now}) - a.began_at`;
  const column = sort === 'level' ? severity : sort === 'seconds' ? lasted : sql.ref(`a.${sort}`);
  // the first level is the worst
  const descending = (order === 'desc') !== (sort === 'level');
  return sql`order by ${column} ${sql.raw(descending ? 'desc nulls last' : 'asc nulls last')}, ${newest}`;
}

/** Returns names in alphabetical order. */
export type PortalsAt = (tx: Tx, accountId: string, gwids: readonly string[]) => Promise<string[]>;

export type PowerOutcomeOf = (
  tx: Tx,
  accountId: string,
  outage: { gwid: string; name: string; from: Date; to: Date },
) => Promise<{
  state: PowerState;
  reason: PowerSkip | null;
  serial: string | null;
  port: string | null;
  cycled: Date | null;
  returned: Date | null;
} | null>;

export interface DetailDeps {
  portalsAt: PortalsAt;
  powerOutcome: PowerOutcomeOf;
}

/** @throws Failure notFound */
export async function alarmDetail(
  tx: Tx,
  accountId: string,
  now: Date,
  id: string,
  { portalsAt, powerOutcome }: DetailDeps,
): Promise<DataOf<typeof contract.get>> {
  const alarms = alarmTables(tx).selectFrom('alarm').selectAll().where('account_id', '=', accountId);
  const row = await alarms.where('id', '=', id).executeTakeFirst();
  if (!row) throw new Failure('notFound');
  const cause = row.cause_id && (await alarms.where('id', '=', row.cause_id).executeTakeFirst());
  const caused = alarms.where('cause_id', '=', id);
  const children = await caused
    .orderBy(sql`recovered_at is not null`)
    .orderBy('name')
    .orderBy('id')
    .limit(maxDetail)
    .execute();
  const { total } = await caused
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const timeline = await alarmTables(tx)
    .selectFrom('alarm_event')
    .select(['at', 'type', 'person', 'note', 'until'])
    .where('account_id', '=', accountId)
    .where('alarm_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxDetail)
    .execute();
  const [shown, ...others] = await present(tx, accountId, now, [row, ...children, ...(cause ? [cause] : [])]);
  return {
    alarm: shown!,
    cause: cause ? others.pop()! : null,
    timeline: timeline.map(({ at, until, ...event }) => ({
      ...event,
      at: at.toISOString(),
      until: until?.toISOString() ?? null,
    })),
    children: others,
    children_total: Number(total),
    portals: row.gwid && offlineKinds.has(row.kind) ? await portalsAt(tx, accountId, [row.gwid]) : [],
    rule_id: await ruleIdAt(tx, accountId, row),
    power: await powerOf(tx, accountId, row, now, powerOutcome),
  };
}

async function powerOf(
  tx: Tx,
  accountId: string,
  { kind, gwid, part, began_at: from, recovered_at: to }: AlarmRow,
  now: Date,
  powerOutcome: PowerOutcomeOf,
): Promise<DataOf<typeof contract.get>['power']> {
  if (kind !== 'peripheral_offline' || gwid === null) return null;
  const found = await powerOutcome(tx, accountId, { gwid, name: part, from, to: to ?? now });
  if (found === null) return null;
  const { cycled, returned, ...outcome } = found;
  const names = await fleetDevices.names(tx, accountId, outcome.serial === null ? [] : [outcome.serial]);
  return {
    ...outcome,
    switch: names.get(outcome.serial ?? '')?.name ?? null,
    cycled_at: cycled?.toISOString() ?? null,
    returned_at: returned?.toISOString() ?? null,
  };
}

async function present(tx: Tx, accountId: string, now: Date, rows: readonly AlarmRow[]): Promise<Alarm[]> {
  const networks = await fleetNetworks.names(
    tx,
    accountId,
    rows.flatMap((row) => row.gwid ?? []),
  );
  const devices = await fleetDevices.names(
    tx,
    accountId,
    rows.flatMap((row) => row.serial ?? []),
  );
  return rows.map((row) => {
    const network = (row.gwid && networks.get(row.gwid)) ?? row.network;
    const device = row.serial === null ? undefined : devices.get(row.serial);
    return {
      id: row.id,
      kind: row.kind,
      level: row.level,
      state: row.state,
      gwid: row.gwid,
      network,
      serial: row.serial,
      name: row.serial === null ? network : (device?.name ?? row.name),
      device_kind: device?.kind ?? null,
      part: row.part,
      count: row.count,
      began_at: row.began_at.toISOString(),
      last_at: row.last_at.toISOString(),
      recovered_at: row.recovered_at?.toISOString() ?? null,
      lasts: row.lasts,
      seconds: Math.round(((row.recovered_at ?? now).getTime() - row.began_at.getTime()) / 1000),
      value: row.value,
      threshold: row.threshold,
      devices_hit: row.devices_hit,
      clients_hit: row.clients_hit,
      acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
      acknowledged_by: row.acknowledged_by,
      note: row.note,
      silenced_until: row.silenced_until?.toISOString() ?? null,
      assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    };
  });
}

/** Counts open uncaused incidents. */
export async function countAlarms(
  tx: Tx,
  accountId: string,
  now: Date,
  gwids: readonly string[] | null = null,
): Promise<DataOf<typeof contract.counts>> {
  const { rows } = await sql<Pick<AlarmRow, 'level' | 'state'> & { count: number }>`
    select level, state, count(*)::int as count from alarm
    where account_id = ${accountId} and state <> 'recovered' and cause_id is null ${among(gwids)} group by 1, 2
  `.execute(tx);
  const sum = (fits: (row: (typeof rows)[number]) => boolean) =>
    rows.reduce((total, row) => (fits(row) ? total + row.count : total), 0);
  const active = (level: AlarmRow['level']) => sum((row) => row.level === level && row.state !== 'silenced');
  return {
    as_of: now.toISOString(),
    active: sum(({ state }) => state !== 'silenced'),
    by_level: { FATAL: active('FATAL'), MIDDLE: active('MIDDLE'), GENERAL: active('GENERAL') },
    firing: sum(({ state }) => state === 'firing'),
    acknowledged: sum(({ state }) => state === 'acknowledged'),
    silenced: sum(({ state }) => state === 'silenced'),
  };
}

/** Returns the newest active uncaused incidents. */
export async function alarmMessages(
  tx: Tx,
  accountId: string,
  locale: Locale,
  gwids: readonly string[] | null,
): Promise<{ level: AlarmRow['level']; message: string; time: string }[]> {
  const { rows } = await sql<AlarmRow>`
    select * from alarm where account_id = ${accountId} and state in ('firing', 'acknowledged') and cause_id is null
      ${among(gwids)}
    order by began_at desc, id desc limit ${maxMessages}
  `.execute(tx);
  return rows.map(({ level, kind, name, network, part, began_at }) => ({
    level,
    message: messageByKey(locale, `alarm.${kind}`, { name, network, part }),
    time: began_at.toISOString(),
  }));
}

function among(gwids: readonly string[] | null): RawBuilder<unknown> {
  return gwids ? sql`and gwid = any(${[...gwids]}::uuid[])` : sql``;
}

/** Filters by the scope. */
export async function knownAlarms(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await alarmTables(tx).selectFrom('alarm').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
