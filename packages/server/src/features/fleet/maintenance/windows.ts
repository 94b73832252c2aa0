import type { fleetBatch as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import { addDays, dayOf, momentOf, weekdayOf } from '../../../platform/calendar.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { lockNetwork } from '../device-store.ts';
import { fleet } from '../tables.ts';
import { plannedBetween, plannedOf } from './planned-store.ts';

type Window = NonNullable<DataOf<typeof contract.windowGet>['window']>;

const minute = 60_000;

export function windowAt(window: Window, zone: string, now: Date): { open: boolean; changesAt: Date } {
  const today = dayOf(now, zone);
  // yesterday's may be open, the next a week away
  for (let ahead = -1; ; ahead += 1) {
    const day = addDays(today, ahead);
    if (!window.weekdays.includes(weekdayOf(day))) continue;
    const begin = momentOf(day, window.start, zone);
    const end = new Date(begin.getTime() + window.minutes * minute);
    if (end <= now) continue;
    return begin <= now ? { open: true, changesAt: end } : { open: false, changesAt: begin };
  }
}

export async function inMaintenance(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const endOf = await maintenanceWindows(tx, accountId, new Map(gwids.map((gwid) => [gwid, at])), at);
  return new Set(gwids.filter((gwid) => endOf(gwid, at)));
}

/** The later end of the weekly window and of planned maintenance; null: none open. */
export type WindowEnd = (gwid: string, at: Date) => Date | null;

/** Right from each network's `since` to `now`. */
export async function maintenanceWindows(
  tx: Tx,
  accountId: string,
  since: ReadonlyMap<string, Date>,
  now: Date,
): Promise<WindowEnd> {
  const rows = await windowsOf(tx, accountId, [...since.keys()]);
  const weekly = new Map(rows.map(({ gwid, ...row }) => [gwid, present(row)]));
  const planned = await plannedOf(tx, accountId, since, now);
  if (weekly.size === 0 && planned.size === 0) return () => null;
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  return (gwid, at) => {
    const ends = (planned.get(gwid) ?? []).filter(({ from, to }) => from <= at && at < to).map(({ to }) => to);
    const window = weekly.get(gwid);
    const found = window && windowAt(window, zone, at);
    if (found?.open) ends.push(found.changesAt);
    return ends.length > 0 ? new Date(Math.max(...ends.map(Number))) : null;
  };
}

export async function maintenanceOpenings(
  tx: Tx,
  accountId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ gwid: string; from: Date; to: Date }[]> {
  const planned = await plannedBetween(tx, accountId, { from, to });
  const rows = await fleet(tx).selectFrom('network_window').selectAll().where('account_id', '=', accountId).execute();
  if (rows.length === 0) return planned;
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const days: string[] = [];
  for (let day = addDays(dayOf(from, zone), -1); day <= dayOf(to, zone); day = addDays(day, 1)) days.push(day);
  const weekly = rows.flatMap(({ gwid, ...row }) => {
    const { weekdays, start, minutes } = present(row);
    return days
      .filter((day) => weekdays.includes(weekdayOf(day)))
      .map((day) => momentOf(day, start, zone))
      .map((begin) => ({ gwid, from: begin, to: new Date(begin.getTime() + minutes * minute) }))
      .filter((open) => open.to > from && open.from < to);
  });
  return [...weekly, ...planned];
}

/** For tasks that ask for night hours. */
const nightWindow: Window = { weekdays: [1, 2, 3, 4, 5, 6, 7], start: '03:00', minutes: 120 };

/** Skips networks without a weekly window unless `nights`. Planned maintenance opens and precedes it. */
export async function closedUntil(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  at: Date,
  { nights = false }: { nights?: boolean } = {},
): Promise<ReadonlyMap<string, Date>> {
  const own = new Map((await windowsOf(tx, accountId, gwids)).map(({ gwid, ...row }) => [gwid, present(row)]));
  const windows = gwids.flatMap((gwid) => {
    const window = own.get(gwid) ?? (nights ? nightWindow : undefined);
    return window ? [{ gwid, window }] : [];
  });
  if (windows.length === 0) return new Map();
  const planned = await plannedOf(tx, accountId, new Map(windows.map(({ gwid }) => [gwid, at])), null);
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  return new Map(
    windows.flatMap(({ gwid, window }): [string, Date][] => {
      const { open, changesAt } = windowAt(window, zone, at);
      const next = planned.get(gwid)?.find(({ to }) => to > at);
      if (open || (next && next.from <= at)) return [];
      return [[gwid, next && next.from < changesAt ? next.from : changesAt]];
    }),
  );
}

export async function readWindow(
  tx: Tx,
  accountId: string,
  gwid: string,
  now: Date,
): Promise<DataOf<typeof contract.windowGet>> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const window = await find(tx, accountId, gwid);
  if (!window) return { window: null, time_zone: zone, open: false, changes_at: null };
  const { open, changesAt } = windowAt(window, zone, now);
  return { window, time_zone: zone, open, changes_at: changesAt.toISOString() };
}

/** @throws Failure notFound; changedMeanwhile without a window that the given fields change */
export async function saveWindow(
  tx: Tx,
  acting: Acting,
  gwid: string,
  changed: InputOf<typeof contract.windowSave>['window'],
): Promise<void> {
  const { accountId } = acting;
  const network = await lockNetwork(tx, accountId, gwid);
  if (!network) throw new Failure('notFound');
  const before = await find(tx, accountId, gwid);
  const window = changed && { ...before, ...changed };
  if (window && !isWhole(window)) throw new Failure('changedMeanwhile');
  await fleet(tx).deleteFrom('network_window').where('account_id', '=', accountId).where('gwid', '=', gwid).execute();
  if (window) {
    const [hours, minutes] = window.start.split(':').map(Number) as [number, number];
    await fleet(tx)
      .insertInto('network_window')
      .values({
        account_id: accountId,
        gwid,
        minutes: window.minutes,
        start_minute: hours * 60 + minutes,
        weekdays: window.weekdays.toSorted(),
      })
      .execute();
  }
  await record(tx, acting, {
    action: 'network.window',
    object: { type: 'network', id: gwid, name: network.remark },
    gwid,
    before: { window: before },
    after: { window },
    inverse: { path: '/api/v3/network/window/save', input: { gwid, window: before } },
  });
}

const isWhole = (window: Partial<Window>): window is Window =>
  window.weekdays !== undefined && window.start !== undefined && window.minutes !== undefined;

async function windowsOf(tx: Tx, accountId: string, gwids: readonly string[]) {
  if (gwids.length === 0) return [];
  return fleet(tx)
    .selectFrom('network_window')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
}

async function find(tx: Tx, accountId: string, gwid: string): Promise<Window | null> {
  const row = await fleet(tx)
    .selectFrom('network_window')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return row ? present(row) : null;
}

function present(row: { weekdays: number[]; start_minute: number; minutes: number }): Window {
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    weekdays: row.weekdays,
    start: `${two(Math.floor(row.start_minute / 60))}:${two(row.start_minute % 60)}`,
    minutes: row.minutes,
  };
}
