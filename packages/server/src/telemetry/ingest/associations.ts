import type { TerminalEvent } from '../extract/events.ts';
import type { Speeds } from '../extract/speeds.ts';
import type { Behind, Observation } from '../extract/stations.ts';
import type { Bytes, EndReason, Presence, Session } from './client-session.ts';
import { type Counter, certainValue, settled, unknownCounter, zeroCounter } from './counter.ts';
import { maxBetween } from './flow.ts';
import { carriedOf, carryRevision, count, farthest, revise, shareAt, speedOf } from './session-bytes.ts';

export const sessionKey = (mac: string, bssid: string): string => `${mac} ${bssid}`;

/** Milliseconds, for whole-second clocks and transit. */
const slack = 5000;
const smallest = 64;
/** Believed session age, milliseconds. */
const oldest = 400 * 86_400_000;
/** Milliseconds. Every report lists wired clients; one unlisted longer may have been away. */
const absence = 180_000;
/** Reports in transit during a join. */
const maxSpared = 2;

export interface Air {
  sent: number;
  retries: number;
  failed: number;
}

export interface AssociationSnapshot {
  observations: readonly Observation[];
  /** Arrival, milliseconds. */
  at: number;
  localtimeS: number | null;
  verdict: 'first' | 'next' | 'restarted';
  before: number | null;
  wired: ReadonlyMap<string, Bytes> | null;
  speeds: Speeds;
}

/**
 * Ends unlisted clients when last observed; a younger association is a new one.
 * @returns frames since the last report, and implausible values
 */
export function applyAssociations(presence: Presence, snapshot: AssociationSnapshot): { air: Air; clamped: number } {
  const { at, verdict } = snapshot;
  const air: Air = { sent: 0, retries: 0, failed: 0 };
  let clamped = 0;
  presence.speeds = snapshot.speeds;
  const missed = presence.missed;
  presence.missed = new Map();
  if (verdict === 'restarted') {
    missed.clear();
    for (const session of presence.open.values()) {
      // joined after the restart, or missing now
      if (session.joinedS === null) end(presence, session, session.lastAt, 'restart');
    }
  }
  const listed = new Set<string>();
  for (const observation of snapshot.observations) {
    const key = sessionKey(observation.mac, observation.bssid);
    listed.add(key);
    const since = observation.connectedS === null ? null : Math.max(at - observation.connectedS * 1000, at - oldest);
    let session = presence.open.get(key);
    const former = missed.get(key);
    const goesOn = former !== undefined && (since ?? 0) <= former.startedAt + slack;
    if (session && goesOn && session.startedAt > former.startedAt + slack) takeUp(presence, session, former);
    if (session && since !== null && isAnother(session, observation, since)) {
      end(presence, session, session.lastAt, 'gone');
      presence.missed.set(key, session);
      session = undefined;
    }
    if (!session && presence.capacity <= 0) {
      clamped += 1;
      continue;
    }
    if (!session) {
      const startedAt = since === null ? at : verdict === 'first' ? since : Math.max(since, snapshot.before ?? since);
      // nothing counts before the first report
      const countedFrom = verdict === 'first' ? at : Math.max(startedAt, at - farthest);
      const base = baseOf(presence, observation, verdict === 'first' || isOlder(snapshot, since));
      session = begin(presence, observation, startedAt, countedFrom, goesOn ? former : base);
    }
    const max = maxBetween(session.lastAt, at, speedOf(presence, session)) / smallest;
    clamped += see(presence, session, observation, at);
    if (observation.packets) {
      if (!session.packets || carry(air, session.packets, observation.packets, max))
        session.packets = observation.packets;
      else clamped += 1;
    }
  }
  for (const [key, session] of presence.open) {
    if (listed.has(key)) continue;
    if (isUnderWay(session, snapshot.localtimeS)) continue;
    end(presence, session, session.lastAt, 'gone');
    presence.missed.set(key, session);
  }
  if (snapshot.wired) presence.wired = countedTo(presence, snapshot.wired);
  return { air, clamped };
}

/** Keeps the last bytes of absent clients. */
function countedTo({ wired: before, open }: Presence, now: ReadonlyMap<string, Bytes>): Map<string, Bytes> {
  return new Map(
    [...now].map(([mac, reported]): [string, Bytes] => {
      const session = open.get(sessionKey(mac, ''));
      if (session) return [mac, { tx: certainValue(session.tx), rx: certainValue(session.rx) }];
      return [mac, before ? (before.get(mac) ?? { tx: 0, rx: 0 }) : reported];
    }),
  );
}

type Counters = Pick<Session, 'tx' | 'rx'>;

const nothing: Counters = { tx: zeroCounter, rx: zeroCounter };
const unknown: Counters = { tx: unknownCounter, rx: unknownCounter };

/** Excludes an association older than the last report: it was counted elsewhere. */
function isOlder({ verdict, before }: AssociationSnapshot, since: number | null): boolean {
  return verdict === 'next' && before !== null && (since === null || since < before - slack);
}

/** Continues the former session, because the last report's association was wrong. */
function takeUp(presence: Presence, session: Session, former: Session): void {
  carryRevision(carriedOf(presence, session), session.lastAt, -session.down, -session.up);
  revise(session, -session.down, -session.up);
  session.tx = settled(former.tx);
  session.rx = settled(former.rx);
  session.packets = former.packets;
  session.startedAt = former.startedAt;
  presence.touched.add(session);
}

/** Starts wireless counters with the association, wired ones from the last report or zero. */
function baseOf({ wired }: Presence, { mac, band }: Pick<Session, 'mac' | 'band'>, first: boolean): Counters {
  if (band !== 0) return first ? unknown : nothing;
  if (!wired) return unknown;
  const { tx, rx } = wired.get(mac) ?? { tx: 0, rx: 0 };
  return { tx: { ...unknownCounter, value: tx }, rx: { ...unknownCounter, value: rx } };
}

/** Returns whether it joined during transit; bounded in case the clock was set back. */
function isUnderWay(session: Session, localtimeS: number | null): boolean {
  if (session.joinedS === null || localtimeS === null || session.joinedS < localtimeS - 1) return false;
  session.spared += 1;
  return session.spared <= maxSpared;
}

function isAnother(session: Session, observation: Pick<Observation, 'tx' | 'rx'>, since: number): boolean {
  if (since > session.lastAt + slack) return true;
  const fell = ({ value }: Counter, now: number | null) => value !== null && now !== null && now < value;
  return since > session.startedAt + slack && (fell(session.tx, observation.tx) || fell(session.rx, observation.rx));
}

/** @returns false for implausible values, which are dropped */
function carry(
  air: Air,
  last: NonNullable<Observation['packets']>,
  now: NonNullable<Observation['packets']>,
  max: number,
): boolean {
  const [sent, retries, failed] = [now[0] - last[0], now[1] - last[1], now[2] - last[2]];
  if (Math.min(sent, retries, failed) < 0 || Math.max(sent, retries, failed) > max) return false;
  air.sent += sent;
  air.retries += retries;
  air.failed += failed;
  return true;
}

function begin(
  presence: Presence,
  client: Pick<Session, 'mac' | 'bssid' | 'band' | 'ssid' | 'port'>,
  startedAt: number,
  countedFrom: number,
  base: Counters & Partial<Pick<Session, 'packets'>>,
): Session {
  const { mac, bssid, band, ssid, port } = client;
  // no spreads: several times slower on this hot path
  const session: Session = {
    mac,
    bssid,
    band,
    ssid,
    port,
    behind: null,
    looks: 0,
    news: false,
    ip: null,
    ip6: null,
    username: null,
    authenticated: false,
    hostname: null,
    guess: null,
    startedAt,
    lastAt: countedFrom,
    down: 0,
    up: 0,
    tx: settled(base.tx),
    rx: settled(base.rx),
    rssi: null,
    rssiMin: null,
    rssiSum: 0,
    rssiN: 0,
    txRate: null,
    rxRate: null,
    packets: base.packets ?? (base.tx.value === null ? null : [0, 0, 0]),
    joinedS: null,
    spared: 0,
    shares: [],
    writtenAt: 0,
  };
  presence.open.set(sessionKey(mac, bssid), session);
  presence.touched.add(session);
  presence.capacity -= 1;
  shareAt(session, countedFrom).sessions += 1;
  return session;
}

function see(presence: Presence, session: Session, observation: Observation, at: number): number {
  const clamped = count(presence, session, observation, at);
  session.lastAt = Math.max(session.lastAt, at);
  session.joinedS = null;
  session.ssid = observation.ssid ?? session.ssid;
  session.band = observation.band;
  seePlace(session, observation);
  if (isFirstObservation(session, observation)) session.news = true;
  session.ip = observation.ip ?? session.ip;
  session.ip6 = observation.ip6 ?? session.ip6;
  if (observation.authenticated !== session.authenticated) session.news = true;
  session.authenticated = observation.authenticated;
  if (observation.authenticated) shareAt(session, at).authenticated = true;
  session.username = observation.username ?? session.username;
  session.hostname = observation.hostname ?? session.hostname;
  session.guess = observation.guess ?? session.guess;
  session.txRate = observation.txRate ?? session.txRate;
  session.rxRate = observation.rxRate ?? session.rxRate;
  if (observation.rssi !== null) {
    session.rssi = observation.rssi;
    session.rssiMin = Math.min(observation.rssi, session.rssiMin ?? 0);
    session.rssiSum += observation.rssi;
    session.rssiN += 1;
    const share = shareAt(session, at);
    share.rssiSum += observation.rssi;
    share.rssiN += 1;
  }
  presence.touched.add(session);
  return clamped;
}

/** A join has neither address, name nor signal; a lease may follow, or replace a link-local address. */
const isFirstObservation = (session: Session, { ip, ip6, rssi, hostname }: Observation): boolean =>
  (ip !== null && ip !== session.ip) ||
  (session.ip6 === null && ip6 !== null) ||
  (session.hostname === null && hostname !== null) ||
  (session.rssi === null && rssi !== null);

function seePlace(session: Session, { port, behind }: Observation): void {
  const moved = port !== null && port !== session.port;
  session.port = port ?? session.port;
  // also while the own device is away
  const now = behind === undefined ? (moved ? null : session.behind) : behind;
  if (behind !== undefined) session.looks = moved ? 1 : session.looks + 1;
  if (now?.serial !== session.behind?.serial || now?.port !== session.behind?.port) session.news = true;
  session.behind = now;
}

/** Settles a session whose row no report wrote. */
export function settle(presence: Presence, session: Session, reported: Bytes & { revocable: Bytes }, at: number): void {
  count(presence, session, reported, at);
  session.tx.counted = reported.revocable.tx ?? 0;
  session.rx.counted = reported.revocable.rx ?? 0;
  session.lastAt = at;
  presence.touched.add(session);
}

function end(presence: Presence, session: Session, endedAt: number, reason: EndReason): void {
  presence.open.delete(sessionKey(session.mac, session.bssid));
  presence.touched.delete(session);
  presence.ended.push({ session, endedAt, reason });
}

export interface ClientEvent {
  event: TerminalEvent;
  at: number;
  /** Unix seconds by the device clock; the report covers earlier events. */
  reportedS: number | null;
  /** Milliseconds; null: nothing counts yet. */
  reportedAt: number | null;
  /** 0: wired, 1: unknown. */
  band: Session['band'];
  behind?: Behind | null;
}

/** @returns 1 if the hourly limit dropped it */
export function applyJoin(presence: Presence, { event, at, reportedS, band, behind = null }: ClientEvent): number {
  const open = presence.open.get(sessionKey(event.mac, event.bssid));
  if (open && open.startedAt + slack >= at) return 0;
  // a restarted agent reports every wired client as new
  if (open && band === 0 && open.lastAt + absence >= at) return 0;
  if (!open && event.seconds !== null && reportedS !== null && event.seconds < reportedS) return 0;
  if (open) end(presence, open, open.lastAt, 'gone');
  if (presence.capacity <= 0) return 1;
  const session = begin(presence, { ...event, band }, at, at, baseOf(presence, { mac: event.mac, band }, false));
  session.joinedS = event.seconds;
  session.behind = behind;
  return 0;
}

/** Counts later bytes for the next session. */
function unplug(presence: Presence, { event, at }: ClientEvent): number {
  const session = presence.open.get(sessionKey(event.mac, event.bssid));
  if (!session || session.startedAt > at + slack) return 0;
  const endedAt = Math.max(at, session.lastAt);
  shareAt(session, endedAt);
  session.lastAt = endedAt;
  end(presence, session, endedAt, 'leave');
  return 0;
}

/** Expects that an unknown session was never counted: only the time since the last report counts. */
export function applyLeave(presence: Presence, reported: ClientEvent): number {
  const { event, at, reportedAt, band } = reported;
  if (band === 0) return unplug(presence, reported);
  const startedAt = at - Math.min((event.connectedS ?? 0) * 1000, oldest);
  let session = presence.open.get(sessionKey(event.mac, event.bssid));
  if (session && session.startedAt > at + slack) return 0;
  if (session && event.connectedS !== null && isAnother(session, event, startedAt)) {
    end(presence, session, session.lastAt, 'gone');
    session = undefined;
  }
  if (!session && presence.capacity <= 0) return 1;
  if (!session) {
    const unlisted = reportedAt !== null && reportedAt <= at ? reportedAt - slack : 0;
    const countedFrom = reportedAt === null ? at : Math.max(startedAt, unlisted, at - farthest);
    const base = reportedAt === null ? unknown : nothing;
    session = begin(presence, { ...event, band }, startedAt, countedFrom, base);
  }
  const endedAt = Math.max(at, session.lastAt);
  const clamped = count(presence, session, event, endedAt);
  session.lastAt = endedAt;
  end(presence, session, endedAt, 'leave');
  return clamped;
}
