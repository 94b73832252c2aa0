import { deflateSync } from 'node:zlib';
import { isRandomMac } from '@yunxun/contract/device';
import type { TerminalEvent } from '../extract/events.ts';
import type { Report } from '../extract/index.ts';
import type { Sight } from '../extract/stations.ts';
import { packAbsolutes } from './absolutes.ts';
import { countersJson, type Device } from './devices.ts';
import { countReport, measures, sameCounters } from './flow.ts';
import { type Ended, mostArrivals, type Presence, type Session, type Share } from './session.ts';
import type { StagingTable, Value } from './staging.ts';
import { callRoll, join, leave, placeOf } from './stations.ts';
import { terminalOf } from './terminal.ts';

/** A report or an event, read and waiting to be written. */
export interface Item {
  id: number;
  accountId: string;
  serial: string;
  epoch: number;
  /** Arrival, milliseconds. */
  at: number;
  inflated: number;
  report: Report | null;
  event: TerminalEvent | null;
  /**
   * A report as it came, to be kept whole: its frame, or its parameters where they came deflated. What was parsed of it is
   * let go of, since many wait at a time.
   */
  raw: { bytes: Buffer; deflated: boolean } | null;
}

/** Rows for the staging tables. */
export type Rows = Record<StagingTable, Value[][]>;

/** What a batch comes to. */
export interface Written {
  rows: Rows;
  clamped: number;
  /** UTC days (`YYYY-MM-DD`) that rows fall on. */
  days: Set<string>;
}

/** How often things are written: in a small house always, in a large one when it is due. */
export interface Pace {
  /** Every report is written whole, and not only now and then. */
  whole: boolean;
  /** Milliseconds between two writings of a session that goes on. */
  sessionEvery: number;
}

/** A report is written whole at least this often, milliseconds. */
const wholeEvery = 300_000;
/** A clock that was set back this far is believed; less is a report that came in the same moment. Milliseconds. */
const setBack = 300_000;
const day = 86_400_000;
const mostLately = 64;

/** Applies the items of one device in their order, and says what is to be written; without any, whatever is not written yet. */
export function applyItems(
  device: Device,
  items: readonly Item[],
  pace: Pace,
  /** Whether the history has the session of an event: true for certain, false by when it began, null not at all. */
  historyOf: (item: Item) => boolean | null,
  out: Written,
): void {
  let latest: Item | null = null;
  const hour = Math.floor((items.at(-1)?.at ?? 0) / 3_600_000);
  if (hour > device.hour) {
    device.hour = hour;
    device.presence.room = mostArrivals;
  }
  for (const item of items) {
    if (item.event) out.clamped += hear(device, item as Item & { event: TerminalEvent }, historyOf);
    else if (item.report && take(device, item as Item & { report: Report }, out)) latest = item;
  }
  write(device, latest, items.at(-1)?.at ?? null, pace, out);
}

/** Takes a report. @returns false when it says nothing new: it came before, or late */
function take(device: Device, { at: arrival, report }: Item & { report: Report }, out: Written): boolean {
  const { accountId, serial, presence, known: before } = device;
  out.clamped += report.clamped;
  // two reports of a device never have one time
  const late = before ? before.at - arrival : -1;
  const at = before && late >= 0 && late < setBack ? before.at + 1 : arrival;
  const { uptimeS } = report.summary;
  const { counters, localtimeS } = report;
  const anew = late < 0 && before !== null && (!sameCounters(before, counters) || !isRoll(presence, report.stations));
  const outcome = countReport(before, { at, uptimeS, localtimeS, counters, anew, sockets: report.edge !== null });
  const { flow, verdict } = outcome;
  if (verdict === 'repeat' || verdict === 'stale') return false;
  out.clamped += outcome.clamped;
  device.known = outcome.known;
  const roll = report.stations
    ? callRoll(presence, {
        ...{ sights: report.stations, at, localtimeS, verdict },
        ...{ before: before?.at ?? null, wired: report.edge?.stations ?? null },
      })
    : null;
  out.clamped += roll?.clamped ?? 0;
  const l = report.levels;
  out.days.add(dayOf(at));
  out.rows.in_sample.push([
    ...[accountId, serial, new Date(at), uptimeS, outcome.gapS, verdict === 'restarted'],
    ...[real(l.cpu), real(l.mem), real(l.load1), real(l.temperature), flow.wanDown, flow.wanUp],
    ...[flow.down[2], flow.up[2], flow.down[5], flow.up[5], flow.down[6], flow.up[6]],
    ...[l.clients, l.clients2g, l.clients5g, l.clients6g, l.clientsWired],
    ...[l.util2g, l.util5g, l.util6g, l.noise2g, l.noise5g, l.noise6g].map(real),
    ...[l.weak, l.rssiSum, l.rssiN, l.rateSum, l.rateN],
    ...[roll?.air.sent ?? 0, roll?.air.retries ?? 0, roll?.air.failed ?? 0],
  ]);
  return true;
}

/** Whether a report lists those who are known to be there, and nobody else. */
function isRoll({ open }: Presence, sights: readonly Sight[] | null): boolean {
  return !sights || (sights.length === open.size && sights.every(({ mac, bssid }) => open.has(placeOf(mac, bssid))));
}

/** Writes what ended, what began, and of what goes on whatever is due. `now` is the last arrival, null to write it all. */
function write(device: Device, latest: Item | null, now: number | null, pace: Pace, out: Written): void {
  const { presence, serial } = device;
  const { ended, touched } = presence;
  for (const one of ended) writeEnded(device, one, out);
  let written = ended.length > 0;
  for (const session of touched) {
    if (now !== null && session.writtenAt > 0 && !isDue(session, now, pace, serial)) continue;
    writeOpen(device, session, out);
    session.writtenAt = now ?? session.lastAt;
    touched.delete(session);
    written = true;
  }
  presence.ended = [];
  if (latest || written) out.rows.in_device.push(deviceRow(device, latest, pace, now ?? 0));
}

function hear(
  device: Device,
  item: Item & { event: TerminalEvent },
  historyOf: (item: Item) => boolean | null,
): number {
  const { known, lately, presence } = device;
  const { event, at: arrival } = item;
  const name = `${event.type} ${event.mac} ${event.bssid} ${event.seconds ?? arrival}`;
  const at = truthful(event.seconds, arrival);
  const history = historyOf(item) ?? endedHere(presence, event, at);
  // it comes a second time
  if (lately.includes(name) || history === true) return 0;
  lately.push(name);
  if (lately.length > mostLately) lately.shift();
  const told = {
    ...{ event, at, reportedS: known?.localtimeS ?? null, reportedAt: known?.at ?? null },
    band: event.band ?? 5,
  } as const;
  if (event.type === 'join') return join(presence, told);
  // its end was missed and is told late: what it came to is counted, up to its last sighting
  if (history === false && !presence.open.has(placeOf(event.mac, event.bssid))) return 0;
  return leave(presence, told);
}

/** As `historyOf`, of the sessions that ended in this batch. */
function endedHere({ ended }: Presence, { type, mac, bssid, connectedS }: TerminalEvent, at: number): boolean | null {
  const from = type === 'join' ? at : at - (connectedS ?? 0) * 1000;
  for (const { session, endedAt } of ended) {
    if (session.mac !== mac || session.bssid !== bssid) continue;
    if (type === 'join' ? session.startedAt === at : endedAt === at) return true;
    if (type === 'leave' && Math.abs(session.startedAt - from) <= 5000) return false;
  }
  return null;
}

/** When an event happened: by the device's clock where that can be true, else when it arrived. */
export function truthful(seconds: number | null, arrival: number): number {
  const given = (seconds ?? 0) * 1000;
  return given > arrival - 7 * day && given <= arrival + 60_000 ? Math.min(given, arrival) : arrival;
}

/** A session that goes on is written when its time is over; where that is a quarter of an hour, devices take turns. */
function isDue(session: Session, now: number, { sessionEvery }: Pace, serial: string): boolean {
  if (sessionEvery < 120_000) return now - session.writtenAt >= sessionEvery - 10_000;
  const phase = Number.parseInt(serial.slice(-4), 16) % 900 || 0;
  const turn = (at: number) => Math.floor((at + phase * 1000) / sessionEvery);
  return turn(now) !== turn(session.writtenAt);
}

function deviceRow(device: Device, latest: Item | null, pace: Pace, now: number): Value[] {
  const { accountId, serial, known, committedAt } = device;
  const base = [accountId, serial, committedAt === null ? null : new Date(committedAt)];
  if (!latest?.report || !known) return [...base, ...Array<null>(19).fill(null)];
  const s = latest.report.summary;
  const isWhole = pace.whole || now - device.wholeAt >= wholeEvery;
  if (isWhole) device.wholeAt = now;
  const whole = isWhole ? latest.raw && wholeOf(latest.raw) : null;
  // who is connected to whom moves slowly: it is written at the pace of the whole report
  const links = isWhole ? latest.report.links && JSON.stringify(latest.report.links) : null;
  return [
    ...base,
    ...[new Date(known.at), known.uptimeS, known.localtimeS, countersJson(known, device.presence.wired), whole],
    ...[s.uuid, s.uptimeS, real(s.cpuPct), s.memUsed, s.memTotal, real(s.load1)],
    ...[s.clients2g, s.clients5g, s.clients6g, s.clientsTotal],
    latest.report.edge && JSON.stringify(latest.report.edge.kept),
    measures(known),
    packAbsolutes(device.presence.touched, known.at),
    links,
  ];
}

/** A report as `readLatestState` reads it. */
const wholeOf = ({ bytes, deflated }: NonNullable<Item['raw']>): Buffer =>
  deflated ? bytes : deflateSync(bytes, { level: 1 });

function writeOpen(device: Device, session: Session, out: Written): void {
  out.rows.in_session.push(sessionRow(device, session, null));
  writeShares(device, session, out);
}

function writeEnded(device: Device, ended: Ended, out: Written): void {
  out.rows.in_session.push(sessionRow(device, ended.session, ended));
  out.days.add(dayOf(ended.endedAt));
  writeShares(device, ended.session, out);
}

function sessionRow({ accountId, serial }: Device, s: Session, ended: Ended | null): Value[] {
  return [
    ...[
      ended && new Date(ended.endedAt),
      ended?.reason ?? null,
      s.writtenAt === 0,
      accountId,
      serial,
      s.mac,
      s.bssid,
      s.ssid,
    ],
    ...[s.band, s.port, s.ip, s.username, s.authenticated, new Date(s.startedAt), new Date(s.lastAt)],
    ...[s.down, s.up, s.absTx, s.absRx, s.rssi, s.rssiMin, s.rssiSum, s.rssiN, s.txRate, s.rxRate],
  ];
}

function writeShares({ accountId, serial }: Device, session: Session, out: Written): void {
  const { mac } = session;
  const { type, typeSource, brand, brandSource, os } = terminalOf(session);
  for (const share of session.shares) {
    out.rows.in_share.push([
      ...shareStart(accountId, serial, mac, share),
      ...[share.down, share.up, share.rssiSum, share.rssiN, share.sessions, share.authenticated, session.band !== 0],
      ...[isRandomMac(mac), session.hostname, type, typeSource, brand, brandSource, os],
    ]);
    for (let at = share.from; at < share.to; at += day) out.days.add(dayOf(at));
    out.days.add(dayOf(share.to));
  }
  session.shares = [];
}

const shareStart = (accountId: string, serial: string, mac: string, { bucket, from, to }: Share): Value[] => [
  ...[accountId, serial, mac, new Date(bucket), new Date(from), new Date(to)],
];

let lastDay = { number: Number.NaN, text: '' };

/** The UTC day of a time; the rows of a batch are of one, or of two. */
function dayOf(at: number): string {
  const number = Math.floor(at / day);
  if (number !== lastDay.number) lastDay = { number, text: new Date(at).toISOString().slice(0, 10) };
  return lastDay.text;
}

/** A number as a `real` column takes it: what is too small for one would be refused. */
function real(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}
