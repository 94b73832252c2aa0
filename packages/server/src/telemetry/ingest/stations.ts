import type { TerminalEvent } from '../extract/events.ts';
import type { Sight } from '../extract/stations.ts';
import { countOn, mostSince } from './flow.ts';
import type { Bytes, EndReason, Presence, Session, Share } from './session.ts';

export const placeOf = (mac: string, bssid: string): string => `${mac} ${bssid}`;

/** A device's whole-second clock and the way of a report: times closer than this, in milliseconds, are the same. */
const slack = 5000;
const quarter = 900_000;
/** No packet has fewer bytes. */
const smallest = 64;
/** A session is no older than this, whatever a device says; milliseconds. */
const oldest = 400 * 86_400_000;
/** ... and no more than this of it is counted at once: every day that it fills is written. Milliseconds. */
const farthest = 7 * 86_400_000;
/** Who is on a cable is in every report; one who was in one this long ago, in milliseconds, may have been away since. */
const absence = 180_000;
/** So many reports may have been under way when somebody joined. */
const mostSpared = 2;

/** Frames are sent, and packets given up, since the report before. */
export interface Air {
  sent: number;
  retries: number;
  failed: number;
}

/** What a report says about who is there. */
export interface Roll {
  sights: readonly Sight[];
  /** Arrival, milliseconds. */
  at: number;
  localtimeS: number | null;
  verdict: 'first' | 'next' | 'restarted';
  /** Arrival of the report before, milliseconds. */
  before: number | null;
  /** Absolute bytes of who is, or was, on a cable, by MAC; null where the device does not count them. */
  wired: ReadonlyMap<string, Bytes> | null;
}

/**
 * Takes a report's list of terminals: who is listed is there, and was since it associated; who is not has gone when it
 * was last seen. An association that is younger than the last sighting is another one: its end was missed.
 * @returns what the air carried since, and how many intervals said more than can be
 */
export function callRoll(presence: Presence, roll: Roll): { air: Air; clamped: number } {
  const { at, verdict } = roll;
  const air: Air = { sent: 0, retries: 0, failed: 0 };
  let clamped = 0;
  if (verdict === 'restarted') {
    for (const session of [...presence.open.values()]) {
      // who has joined and was in no report yet has joined since the restart, or is not in this one
      if (session.joinedS === null) end(presence, session, session.lastAt, 'restart');
    }
  }
  const listed = new Set<string>();
  for (const sight of roll.sights) {
    const key = placeOf(sight.mac, sight.bssid);
    listed.add(key);
    const since = sight.connectedS === null ? null : Math.max(at - sight.connectedS * 1000, at - oldest);
    let session = presence.open.get(key);
    if (session && since !== null && isAnother(session, sight, since)) {
      end(presence, session, session.lastAt, 'gone');
      session = undefined;
    }
    if (!session && presence.room <= 0) {
      clamped += 1;
      continue;
    }
    if (!session) {
      // it was not in the report before
      const startedAt = since === null ? at : verdict === 'first' ? since : Math.max(since, roll.before ?? since);
      // what was before the device's first report is not ours to count
      const countedFrom = verdict === 'first' ? at : Math.max(startedAt, at - farthest);
      session = begin(presence, sight, startedAt, countedFrom, baseOf(presence, sight, verdict === 'first'));
    }
    const most = mostSince({ at: session.lastAt }, at) / smallest;
    clamped += see(presence, session, sight, at);
    if (sight.packets) {
      if (session.packets && !carry(air, session.packets, sight.packets, most)) clamped += 1;
      session.packets = sight.packets;
    }
  }
  for (const [key, session] of [...presence.open]) {
    if (listed.has(key)) continue;
    if (isUnderWay(session, roll.localtimeS)) continue;
    end(presence, session, session.lastAt, 'gone');
  }
  if (roll.wired) presence.wired = countedTo(presence.wired, roll.wired, listed);
  return { air, clamped };
}

/** Up to where each terminal's bytes are counted: of who is not there, not beyond its last session, unless they began anew. */
function countedTo(before: Presence['wired'], now: ReadonlyMap<string, Bytes>, listed: ReadonlySet<string>) {
  const lower = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.min(a, b));
  return new Map(
    [...now].map(([mac, said]): [string, Bytes] => {
      if (!before || listed.has(placeOf(mac, ''))) return [mac, said];
      const last = before.get(mac) ?? nothing;
      return [mac, { tx: lower(last.tx, said.tx), rx: lower(last.rx, said.rx) }];
    }),
  );
}

const nothing: Bytes = { tx: 0, rx: 0 };
const unknown: Bytes = { tx: null, rx: null };

/**
 * What a session's bytes are counted from. An association's counters begin with it; what was before the device's first
 * report is not ours. Those of cables do not: they go on from the last report, and are nothing of who was in none.
 */
function baseOf({ wired }: Presence, { mac, band }: Pick<Session, 'mac' | 'band'>, first: boolean): Bytes {
  if (band !== 0) return first ? unknown : nothing;
  return (wired && (wired.get(mac) ?? nothing)) ?? unknown;
}

/** Whether somebody joined while the report was being made; by a clock that was set back since, that would be so for ever. */
function isUnderWay(session: Session, localtimeS: number | null): boolean {
  if (session.joinedS === null || localtimeS === null || session.joinedS < localtimeS - 1) return false;
  session.spared += 1;
  return session.spared <= mostSpared;
}

/** Whether a sight shows another association than the one that is known. */
function isAnother(session: Session, sight: Pick<Sight, 'tx' | 'rx'>, since: number): boolean {
  if (since > session.lastAt + slack) return true;
  const fell = (last: number | null, now: number | null) => last !== null && now !== null && now < last;
  return since > session.startedAt + slack && (fell(session.absTx, sight.tx) || fell(session.absRx, sight.rx));
}

const grown = (last: number, now: number) => (now >= last ? now - last : now);

/** Adds the packets of one association since it was last seen. @returns false when they cannot be: none is added then */
function carry(
  air: Air,
  last: NonNullable<Sight['packets']>,
  now: NonNullable<Sight['packets']>,
  most: number,
): boolean {
  const sent = grown(last[0], now[0]);
  const retries = grown(last[1], now[1]);
  const failed = grown(last[2], now[2]);
  if (sent > most || retries > most || failed > most) return false;
  air.sent += sent;
  air.retries += retries;
  air.failed += failed;
  return true;
}

function begin(
  presence: Presence,
  who: Pick<Session, 'mac' | 'bssid' | 'band' | 'ssid' | 'port'>,
  startedAt: number,
  countedFrom: number,
  base: Bytes,
): Session {
  const { mac, bssid, band, ssid, port } = who;
  // spelled out: this is made by the thousand, and an object that is put together of others costs several times as much
  const session: Session = {
    mac,
    bssid,
    band,
    ssid,
    port,
    ip: null,
    username: null,
    authenticated: false,
    hostname: null,
    guess: null,
    startedAt,
    lastAt: countedFrom,
    down: 0,
    up: 0,
    absTx: base.tx,
    absRx: base.rx,
    rssi: null,
    rssiMin: null,
    rssiSum: 0,
    rssiN: 0,
    txRate: null,
    rxRate: null,
    packets: base.tx === null ? null : [0, 0, 0],
    joinedS: null,
    spared: 0,
    shares: [],
    writtenAt: 0,
  };
  presence.open.set(placeOf(mac, bssid), session);
  presence.touched.add(session);
  presence.room -= 1;
  shareAt(session, countedFrom).sessions += 1;
  return session;
}

/** The share of the quarter that a time is in, grown to it. */
function shareAt(session: Session, at: number): Share {
  const bucket = Math.floor(at / quarter) * quarter;
  let share = session.shares.at(-1);
  if (share?.bucket !== bucket) {
    const from = Math.max(session.lastAt, at - farthest);
    share = { bucket, from, to: at, down: 0, up: 0, rssiSum: 0, rssiN: 0, sessions: 0, authenticated: false };
    session.shares.push(share);
  }
  share.to = Math.max(share.to, at);
  return share;
}

function see(presence: Presence, session: Session, sight: Sight, at: number): number {
  const clamped = count(session, sight, at);
  session.lastAt = Math.max(session.lastAt, at);
  session.joinedS = null;
  session.ssid = sight.ssid ?? session.ssid;
  session.band = sight.band;
  session.port = sight.port ?? session.port;
  session.ip = sight.ip ?? session.ip;
  session.authenticated = sight.authenticated;
  if (sight.authenticated) shareAt(session, at).authenticated = true;
  session.username = sight.username ?? session.username;
  session.hostname = sight.hostname ?? session.hostname;
  session.guess = sight.guess ?? session.guess;
  session.txRate = sight.txRate ?? session.txRate;
  session.rxRate = sight.rxRate ?? session.rxRate;
  if (sight.rssi !== null) {
    session.rssi = sight.rssi;
    session.rssiMin = Math.min(sight.rssi, session.rssiMin ?? 0);
    session.rssiSum += sight.rssi;
    session.rssiN += 1;
    const share = shareAt(session, at);
    share.rssiSum += sight.rssi;
    share.rssiN += 1;
  }
  presence.touched.add(session);
  return clamped;
}

/** Counts a session on to a report that showed it and that its row does not know of. */
export function settle(
  presence: Presence,
  session: Session,
  said: { tx: number | null; rx: number | null },
  at: number,
): void {
  count(session, said, at);
  session.lastAt = at;
  presence.touched.add(session);
}

/** Counts a session's bytes on since it was last seen, in the quarter of `at`. */
function count(session: Session, said: { tx: number | null; rx: number | null }, at: number): number {
  const most = mostSince({ at: session.lastAt }, at);
  const share = shareAt(session, at);
  let clamped = 0;
  const next = (last: number | null, now: number | null) => {
    if (now === null || last === null) return { flow: 0, base: now ?? last };
    const step = countOn(last, now, most);
    if (step.clamped) clamped += 1;
    return { flow: step.flow, base: now };
  };
  const down = next(session.absTx, said.tx);
  const up = next(session.absRx, said.rx);
  session.absTx = down.base;
  session.absRx = up.base;
  session.down += down.flow;
  session.up += up.flow;
  share.down += down.flow;
  share.up += up.flow;
  return clamped;
}

function end(presence: Presence, session: Session, endedAt: number, reason: EndReason): void {
  presence.open.delete(placeOf(session.mac, session.bssid));
  presence.touched.delete(session);
  presence.ended.push({ session, endedAt, reason });
}

/** A device's word that somebody came or went; `at` is when it happened, milliseconds. */
export interface Told {
  event: TerminalEvent;
  at: number;
  /** The clock of the last committed report, Unix seconds: what happened before it, it has shown already. */
  reportedS: number | null;
  /** Arrival of the last report, milliseconds; null before the first: what was before it is not ours to count. */
  reportedAt: number | null;
  /** The band of the network, when it is known; 0 on a cable. */
  band: Session['band'];
}

/** A terminal joined. @returns what was left out */
export function join(presence: Presence, { event, at, reportedS, band }: Told): number {
  const open = presence.open.get(placeOf(event.mac, event.bssid));
  if (open && open.startedAt + slack >= at) return 0;
  // an agent that starts anew finds everybody anew: who was there a moment ago has not been away
  if (open && band === 0 && open.lastAt + absence >= at) return 0;
  if (!open && event.seconds !== null && reportedS !== null && event.seconds < reportedS) return 0;
  if (open) end(presence, open, open.lastAt, 'gone');
  if (presence.room <= 0) return 1;
  const session = begin(presence, { ...event, band }, at, at, baseOf(presence, { mac: event.mac, band }, false));
  session.joinedS = event.seconds;
  return 0;
}

/**
 * A terminal left its cable. One that is not known to be there has ended before. Its bytes come with the reports: what they
 * have beyond the last one is its next session's, so that nothing counts twice.
 */
function unplug(presence: Presence, { event, at }: Told): number {
  const session = presence.open.get(placeOf(event.mac, event.bssid));
  if (!session || session.startedAt > at + slack) return 0;
  const endedAt = Math.max(at, session.lastAt);
  shareAt(session, endedAt);
  session.lastAt = endedAt;
  end(presence, session, endedAt, 'leave');
  return 0;
}

/**
 * A terminal left, with its final bytes. One that is not there was never seen, as the caller has made sure: its whole
 * session is told by this. It was not there in the last report before, so that no more is counted than the time since.
 */
export function leave(presence: Presence, told: Told): number {
  const { event, at, reportedAt, band } = told;
  if (band === 0) return unplug(presence, told);
  const startedAt = at - Math.min((event.connectedS ?? 0) * 1000, oldest);
  let session = presence.open.get(placeOf(event.mac, event.bssid));
  // it came again since
  if (session && session.startedAt > at + slack) return 0;
  // another one than the one that is known, whose end was missed
  if (session && event.connectedS !== null && isAnother(session, event, startedAt)) {
    end(presence, session, session.lastAt, 'gone');
    session = undefined;
  }
  if (!session && presence.room <= 0) return 1;
  if (!session) {
    const unlisted = reportedAt !== null && reportedAt <= at ? reportedAt - slack : 0;
    const countedFrom = reportedAt === null ? at : Math.max(startedAt, unlisted, at - farthest);
    const base = reportedAt === null ? unknown : nothing;
    session = begin(presence, { ...event, band }, startedAt, countedFrom, base);
  }
  const endedAt = Math.max(at, session.lastAt);
  const clamped = count(session, event, endedAt);
  session.lastAt = endedAt;
  end(presence, session, endedAt, 'leave');
  return clamped;
}
