import { deflateSync } from 'node:zlib';
import { unknownBand } from '../extract/bands.ts';
import type { TerminalEvent } from '../extract/events.ts';
import type { Report } from '../extract/index.ts';
import type { Behind, Observation } from '../extract/stations.ts';
import { packAbsolutes } from './absolutes.ts';
import { applyAssociations, applyJoin, applyLeave, sessionKey } from './associations.ts';
import { sameCounters } from './boot.ts';
import { maxArrivals, type Presence, type Session } from './client-session.ts';
import { countersJson } from './counters-json.ts';
import type { Device } from './devices.ts';
import { dateEvent } from './event-time.ts';
import { countReport, measures, noFlow, type Outcome } from './flow.ts';
import { nearestOf } from './port-ownership.ts';
import { writeEnded, writeOpen } from './rows/sessions.ts';
import type { Value } from './rows/staging.ts';
import { dayOf, real } from './rows/values.ts';
import type { Written } from './rows/written.ts';

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
  raw: { bytes: Buffer; deflated: boolean } | null;
}

export interface Pace {
  whole: boolean;
  /** Milliseconds. */
  sessionEvery: number;
}

/** Milliseconds. */
const wholeEvery = 300_000;
/** Milliseconds; larger steps back are believed. */
const setBack = 300_000;
const maxLately = 64;

/** Stages all unwritten sessions, or `only`, if there are no items. */
export function applyItems(
  device: Device,
  items: readonly Item[],
  pace: Pace,
  /** True: exactly in the history; false: by its start. */
  historyOf: (item: Item) => boolean | null,
  out: Written,
  only: ReadonlySet<Session> | null = null,
): void {
  let latest: Item | null = null;
  renewCapacity(device, items.at(-1)?.at ?? 0);
  for (const item of items) if (applyItem(device, item, historyOf, out)) latest = item;
  collectRows(device, latest, items.at(-1)?.at ?? null, { pace, only }, out);
}

/** Allows each hour its arrivals. */
export function renewCapacity(device: Device, at: number): void {
  const hour = Math.floor(at / 3_600_000);
  if (hour <= device.hour) return;
  device.hour = hour;
  device.presence.capacity = maxArrivals;
}

/** Stages a report's row; leaves sessions to the caller. @returns whether it was a new report */
export function applyItem(
  device: Device,
  item: Item,
  historyOf: (item: Item) => boolean | null,
  out: Written,
): boolean {
  if (item.event) out.clamped += applyEvent(device, item as Item & { event: TerminalEvent }, historyOf);
  else if (item.report) return applyReport(device, item as Item & { report: Report }, out);
  return false;
}

/** @returns false for a repeated or stale report */
function applyReport(device: Device, { at: arrival, report }: Item & { report: Report }, out: Written): boolean {
  const { accountId, serial, presence, known: before } = device;
  out.clamped += report.clamped;
  // a device's reports never share a timestamp
  const late = before ? before.at - arrival : -1;
  const at = before && late >= 0 && late < setBack ? before.at + 1 : arrival;
  const { uptimeS, uuid } = report.summary;
  const { counters, localtimeS } = report;
  const isOther = () =>
    (device.uuid ?? uuid) !== uuid || !sameCounters(before!, counters) || !listsKnownClients(presence, report.stations);
  const anew = late < 0 && before !== null && isOther();
  const { speeds, oldestS } = report;
  const outcome = countReport(before, {
    at,
    uptimeS,
    localtimeS,
    counters,
    speeds,
    oldestS,
    anew,
    sockets: report.edge !== null,
  });
  const { verdict } = outcome;
  if (verdict === 'repeat' || verdict === 'stale') return false;
  out.clamped += outcome.clamped;
  device.known = outcome.known;
  device.uuid = uuid;
  const snapshot = report.stations
    ? applyAssociations(presence, {
        observations: report.stations,
        at,
        localtimeS,
        verdict,
        speeds,
        before: before?.at ?? null,
        wired: report.edge?.stations ?? null,
      })
    : null;
  out.clamped += snapshot?.clamped ?? 0;
  const { flow, revisions } = withCarried(outcome, presence);
  for (const revision of revisions) {
    const { wanDown, wanUp, down, up } = revision.flow;
    out.rows.in_revision.push([
      accountId,
      serial,
      new Date(revision.at),
      revision.restarted,
      wanDown,
      wanUp,
      down[2],
      up[2],
      down[5],
      up[5],
      down[6],
      up[6],
    ]);
  }
  const l = report.levels;
  out.days.add(dayOf(at));
  out.rows.in_sample.push([
    accountId,
    serial,
    new Date(at),
    uptimeS,
    outcome.gapS,
    verdict === 'restarted',
    real(l.cpu),
    real(l.mem),
    real(l.load1),
    real(l.temperature),
    flow.wanDown,
    flow.wanUp,
    flow.down[2],
    flow.up[2],
    flow.down[5],
    flow.up[5],
    flow.down[6],
    flow.up[6],
    l.clients,
    l.clients2g,
    l.clients5g,
    l.clients6g,
    l.clientsWired,
    ...[l.util2g, l.util5g, l.util6g, l.noise2g, l.noise5g, l.noise6g].map(real),
    l.weak,
    l.rssiSum,
    l.rssiN,
    l.rateSum,
    l.rateN,
    snapshot?.air.sent ?? 0,
    snapshot?.air.retries ?? 0,
    snapshot?.air.failed ?? 0,
    real(l.wanLatency),
    real(l.wanLoss),
    l.leases,
  ]);
  return true;
}

/** Adds client bytes of firmware without network counters. */
function withCarried({ flow, revisions, known }: Outcome, { carried }: Presence): Pick<Outcome, 'flow' | 'revisions'> {
  const whole = structuredClone(flow);
  const corrections = [...revisions];
  for (const [bssid, { band, flow: own, revisions: back }] of carried) {
    const pair = known.bss?.get(bssid);
    if (band === 0 || band === unknownBand || !pair || pair.rx.value !== null || pair.tx.value !== null) continue;
    whole.down[band] += own.down;
    whole.up[band] += own.up;
    for (const [at, { down, up }] of back) {
      const correction = { at, flow: noFlow(), restarted: null };
      correction.flow.down[band] = down;
      correction.flow.up[band] = up;
      corrections.push(correction);
    }
  }
  carried.clear();
  return { flow: whole, revisions: corrections };
}

function bandAt({ known, presence }: Device, bssid: string): Session['band'] {
  const band = known?.bss?.get(bssid)?.band;
  if (band) return band;
  for (const session of presence.open.values()) if (session.bssid === bssid) return session.band;
  return unknownBand;
}

/** Places a client until a report says more. */
function behindAt({ nearby }: Device, { band, port }: TerminalEvent): Behind | null {
  const near = band === 0 && port !== null ? nearby.get(port) : undefined;
  return near ? nearestOf(near) : null;
}

function listsKnownClients({ open }: Presence, observations: readonly Observation[] | null): boolean {
  return (
    !observations ||
    (observations.length === open.size && observations.every(({ mac, bssid }) => open.has(sessionKey(mac, bssid))))
  );
}

interface Wanted {
  pace: Pace;
  /** Null: all. */
  only: ReadonlySet<Session> | null;
}

/** Stages all if `now`, the last arrival, is null. */
function collectRows(
  device: Device,
  latest: Item | null,
  now: number | null,
  { pace, only }: Wanted,
  out: Written,
): void {
  const { presence, serial } = device;
  const { ended, touched } = presence;
  for (const one of ended) writeEnded(device, one, out);
  let written = ended.length > 0;
  for (const session of touched) {
    if (only && !only.has(session)) continue;
    if (now !== null && session.writtenAt > 0 && !session.news && !isDue(session, now, pace, serial)) continue;
    writeOpen(device, session, out);
    session.writtenAt = now ?? session.lastAt;
    session.news = false;
    touched.delete(session);
    written = true;
  }
  presence.ended = [];
  if (latest || written) out.rows.in_device.push(deviceRow(device, latest, pace, now ?? 0));
}

function applyEvent(
  device: Device,
  item: Item & { event: TerminalEvent },
  historyOf: (item: Item) => boolean | null,
): number {
  const { known, lately, presence } = device;
  const { event, at: arrival } = item;
  const name = `${event.type} ${event.mac} ${event.bssid} ${event.seconds ?? arrival}`;
  const { at, isBelieved } = dateEvent(event.seconds, arrival, device);
  const history = historyOf(item) ?? endedHere(presence, event, at);
  if (lately.includes(name) || history === true) return 0;
  lately.push(name);
  if (lately.length > maxLately) lately.shift();
  const reported = {
    event,
    at,
    reportedS: isBelieved ? (known?.localtimeS ?? null) : null,
    reportedAt: known?.at ?? null,
    band: event.band ?? bandAt(device, event.bssid),
    behind: behindAt(device, event),
  } as const;
  if (event.type === 'join') return applyJoin(presence, reported);
  if (history === false && !presence.open.has(sessionKey(event.mac, event.bssid))) return 0;
  return applyLeave(presence, reported);
}

function endedHere({ ended }: Presence, { type, mac, bssid, connectedS }: TerminalEvent, at: number): boolean | null {
  const from = type === 'join' ? at : at - (connectedS ?? 0) * 1000;
  for (const { session, endedAt } of ended) {
    if (session.mac !== mac || session.bssid !== bssid) continue;
    if (type === 'join' ? session.startedAt === at : endedAt === at) return true;
    if (type === 'leave' && Math.abs(session.startedAt - from) <= 5000) return false;
  }
  return null;
}

/** Spreads devices over 15 minutes by serial. */
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
  // topology changes rarely
  const links = isWhole ? latest.report.links && JSON.stringify(latest.report.links) : null;
  return [
    ...base,
    new Date(known.at),
    known.uptimeS,
    known.localtimeS,
    countersJson(known, device.presence.wired),
    whole,
    s.uuid,
    s.uptimeS,
    real(s.cpuPct),
    s.memUsed,
    s.memTotal,
    real(s.load1),
    s.clients2g,
    s.clients5g,
    s.clients6g,
    s.clientsTotal,
    latest.report.edge && JSON.stringify(latest.report.edge.kept),
    measures(known),
    packAbsolutes(device.presence.touched, known.at),
    links,
  ];
}

const wholeOf = ({ bytes, deflated }: NonNullable<Item['raw']>): Buffer =>
  deflated ? bytes : deflateSync(bytes, { level: 1 });
