import type { fleetBatch as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { addDays, dayOf, hourOf, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { accountOf } from '../identity/accounts.ts';
import { record } from '../logs/audit.ts';
import { lockNetwork } from './device-store.ts';
import { fleet } from './tables.ts';

type Window = NonNullable<InputOf<typeof contract.windowSave>['window']>;

const minute = 60_000;
const hour = 60 * minute;

/** Whether a weekly window is open at a time, and when that changes. */
export function windowAt(window: Window, zone: string, now: Date): { open: boolean; changesAt: Date } {
  const today = dayOf(now, zone);
  // one that began yesterday may go on; the next may be a week away
  for (let ahead = -1; ; ahead += 1) {
    const day = addDays(today, ahead);
    if (!window.weekdays.includes(weekdayOf(day))) continue;
    const begin = momentOf(day, window.start, zone);
    const end = new Date(begin.getTime() + window.minutes * minute);
    if (end <= now) continue;
    return begin <= now ? { open: true, changesAt: end } : { open: false, changesAt: begin };
  }
}

/** 1 is Monday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** When a clock of the zone shows a time on a day; of a time that clocks skip, an hour later. */
function momentOf(day: string, time: string, zone: string): Date {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  const even = new Date(startOfDay(day, zone).getTime() + hours * hour + minutes * minute);
  // clocks may have been changed between midnight and then
  const shift = hours - hourOf(even, zone);
  return Math.abs(shift) === 1 ? new Date(even.getTime() + shift * hour) : even;
}

/** The networks, of some, whose maintenance window is open at a time. */
export async function inMaintenance(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const rows = await windowsOf(tx, accountId, gwids);
  if (rows.length === 0) return new Set();
  const { time_zone: zone } = await accountOf(tx, accountId);
  return new Set(rows.filter((row) => windowAt(present(row), zone, at).open).map(({ gwid }) => gwid));
}

/** When the maintenance windows open that are closed at a time, of some networks; those without one are missing. */
export async function closedUntil(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, Date>> {
  const windows = await windowsOf(tx, accountId, gwids);
  if (windows.length === 0) return new Map();
  const { time_zone: zone } = await accountOf(tx, accountId);
  return new Map(
    windows.flatMap(({ gwid, ...row }): [string, Date][] => {
      const { open, changesAt } = windowAt(present(row), zone, at);
      return open ? [] : [[gwid, changesAt]];
    }),
  );
}

/** A network's window, and how it stands. */
export async function readWindow(
  tx: Tx,
  accountId: string,
  gwid: string,
  now: Date,
): Promise<DataOf<typeof contract.windowGet>> {
  const { time_zone: zone } = await accountOf(tx, accountId);
  const window = await find(tx, accountId, gwid);
  if (!window) return { window: null, time_zone: zone, open: false, changes_at: null };
  const { open, changesAt } = windowAt(window, zone, now);
  return { window, time_zone: zone, open, changes_at: changesAt.toISOString() };
}

/** Sets a network's window, or takes it away. */
export async function saveWindow(tx: Tx, acting: Acting, gwid: string, window: Window | null): Promise<void> {
  const { accountId } = acting;
  const network = await lockNetwork(tx, accountId, gwid);
  if (!network) throw new Failure('notFound');
  const before = await find(tx, accountId, gwid);
  await fleet(tx).deleteFrom('network_window').where('account_id', '=', accountId).where('gwid', '=', gwid).execute();
  if (window) {
    const [hours, minutes] = window.start.split(':').map(Number) as [number, number];
    await fleet(tx)
      .insertInto('network_window')
      .values({
        ...{ account_id: accountId, gwid, minutes: window.minutes, start_minute: hours * 60 + minutes },
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
