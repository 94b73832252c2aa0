import type { Delivery } from './delivery.ts';
import type { Reported } from './ledger.ts';
import { found, type Row, type Shown } from './screens.ts';
import type { World } from './world.ts';

/** Midnight of the account's calendar, in seconds. */
export const midnight = 1800;
const dayOf = (time: number) => (time < midnight ? 0 : 1);
const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0);
const distinct = (macs: readonly string[]) => new Set(macs).size;

interface Visit {
  mac: string;
  gwid: string;
  day: number;
  seconds: number;
}

export function truthOf(
  world: World,
  { ledger, networks, serials }: Delivery,
  gwid: string | null,
  now: number,
): Shown {
  const day = dayOf(now);
  const reach = new Set(networks.filter((one) => gwid === null || one.gwid === gwid).flatMap(({ devices }) => devices));
  const networkOf = (device: number) => networks.find(({ devices }) => devices.includes(device))!.gwid;
  const mine = <T extends { device: number }>(list: readonly T[]) => list.filter(({ device }) => reach.has(device));
  const sessions = ledger.sessions;
  const own = sessions.filter(({ of }) => reach.has(of.device));
  const flows = mine(ledger.flows);
  const air = flows.filter(({ band }) => band > 0);
  const wired = flows.filter(({ band }) => band === 0);
  const sightings = mine(ledger.sightings);

  const there = own.filter(({ open, of }) => open && ledger.devices[of.device]!.connected);
  const visits = visitsOf(own, networkOf);
  const firstDay = new Map<string, number>();
  for (const { of, start } of sessions) firstDay.set(of.mac, Math.min(firstDay.get(of.mac) ?? 1, dayOf(start)));
  const usersOn = (on: number) => [...new Set(visits.filter((visit) => visit.day === on).map(({ mac }) => mac))];
  const authenticatedOn = (on: number) =>
    distinct(sightings.filter((one) => one.authenticated && dayOf(one.time) === on).map(({ mac }) => mac));
  const both = (list: readonly { down: number; up: number }[]) => sum(list, ({ down, up }) => down + up);
  const today = air.filter(({ time }) => dayOf(time) === day);
  const macs = [...new Set(own.map(({ of }) => of.mac))];
  const types: Record<string, number> = {};
  // a join carries no host name
  const named = new Set(sessions.filter(({ listed }) => listed).map(({ of }) => of.mac));
  const typeOf = (mac: string) => (named.has(mac) ? world.typeOf(mac) : null);
  for (const type of macs.map(typeOf)) if (type) types[type] = (types[type] ?? 0) + 1;
  const reported = mine(ledger.reports);
  const ofToday = (bytes: number) => (reported.some(({ time }) => dayOf(time) === day) ? bytes : null);
  const long = (from: number, below: number) =>
    visits.filter(({ seconds }) => seconds >= from && seconds < below).length;
  return {
    online: distinct(there.map(({ of }) => of.mac)),
    authenticated: distinct(there.filter(({ authenticated }) => authenticated).map(({ of }) => of.mac)),
    today: usersOn(day).length,
    todayAuthenticated: authenticatedOn(day),
    uplink: both(wired),
    stage: [both(wired.filter(({ time }) => dayOf(time) === 1)), both(wired.filter(({ time }) => dayOf(time) === 0))],
    bands: ([2, 5, 6] as const).map((band) => [
      distinct(there.filter(({ of }) => of.band === band).map(({ of }) => of.mac)),
      ofToday(
        sum(
          today.filter((flow) => flow.band === band),
          ({ down }) => down,
        ),
      ),
      ofToday(
        sum(
          today.filter((flow) => flow.band === band),
          ({ up }) => up,
        ),
      ),
    ]),
    wirelessToday: [ofToday(sum(today, ({ down }) => down)), ofToday(sum(today, ({ up }) => up))],
    week: reported.length > 0 ? both(air) : null,
    trend: [day - 1, day].map((on) => {
      const users = usersOn(on);
      if (users.length === 0 && !reported.some(({ time }) => dayOf(time) === on)) return [null, null, null];
      const fresh = users.filter((mac) => firstDay.get(mac) === on).length;
      return [users.length, fresh, users.length - fresh];
    }),
    authenticatedDays: authenticatedOn(0) + authenticatedOn(1),
    users: macs.length,
    newUsers: macs.length,
    visits: visits.length,
    dwell: [long(0, 1800), long(1800, 3600), long(3600, Infinity)],
    parts: [visits.filter((visit) => visit.day === 1).length, visits.filter((visit) => visit.day === 0).length],
    random: macs.filter((mac) => mac.startsWith('02')).length,
    types,
    unknownTypes: macs.filter((mac) => typeOf(mac) === null).length,
    list: rowsOf(there, serials, networkOf),
    listToday: usersOn(day)
      .toSorted()
      .map((mac) => [mac, both(sightings.filter((one) => one.mac === mac && dayOf(one.time) === day))]),
    // only reports carry addresses
    foundToday: usersOn(day)
      .filter((mac) => world.addressOf(mac)?.startsWith(found))
      .filter((mac) =>
        own.some(
          ({ of, listed, open, last }) => of.mac === mac && of.band > 0 && listed && (open || dayOf(last) === day),
        ),
      )
      .toSorted(),
    series: Array.from({ length: Math.floor(now / 300) }, (_, slot) => {
      const within = ({ time }: { time: number }) => Math.floor(time / 300) === slot;
      if (!reported.some(within)) return [null, null, null];
      return [2, 5, 6].map((band) => both(air.filter((flow) => flow.band === band && within(flow))));
    }),
  };
}

/** Returns visits per network and day; overlapping observations count once. */
function visitsOf(sessions: readonly Reported[], networkOf: (device: number) => string): Visit[] {
  const visits = new Map<string, Visit & { there: Set<number> }>();
  for (const { of, start, last } of sessions) {
    const gwid = networkOf(of.device);
    for (const day of [0, 1]) {
      if (day < dayOf(start) || day > dayOf(last)) continue;
      const key = `${of.mac} ${gwid} ${day}`;
      const visit = visits.get(key) ?? { mac: of.mac, gwid, day, seconds: 0, there: new Set<number>() };
      const [from, to] = day === 0 ? [start, Math.min(last, midnight)] : [Math.max(start, midnight), last];
      for (let second = from; second < to; second += 1) visit.there.add(second);
      visit.seconds = visit.there.size;
      visits.set(key, visit);
    }
  }
  return [...visits.values()];
}

function rowsOf(there: readonly Reported[], serials: readonly string[], networkOf: (device: number) => string): Row[] {
  const places = new Map<string, Reported>();
  for (const reported of there) {
    const other = places.get(reported.of.mac);
    if (!other || reported.start > other.start) places.set(reported.of.mac, reported);
  }
  return [...places.values()]
    .toSorted((a, b) => (a.of.mac < b.of.mac ? -1 : 1))
    .map(({ of, start, down, up }) => ({
      mac: of.mac,
      serial: serials[of.device]!,
      gwid: networkOf(of.device),
      bssid: of.bssid || null,
      band: of.band,
      down: of.band === 0 ? null : down,
      up: of.band === 0 ? null : up,
      // as reported, also before the counted time; unknown when wired
      since: of.band === 0 ? start : of.start,
    }));
}
