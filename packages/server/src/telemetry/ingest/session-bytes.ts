import { unknownBand } from '../extract/bands.ts';
import { unknownSpeeds } from '../extract/speeds.ts';
import type { Carried, Presence, Session, Share } from './client-session.ts';
import { countOn } from './counter.ts';
import { maxBetween } from './flow.ts';

const quarter = 900_000;
/** Milliseconds counted at once: each day becomes a row. */
export const farthest = 7 * 86_400_000;

export function shareAt(session: Session, at: number): Share {
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

/** @returns counters beyond the link's capacity */
export function count(
  presence: Presence,
  session: Session,
  reported: { tx: number | null; rx: number | null },
  at: number,
): number {
  const max = maxBetween(session.lastAt, at, speedOf(presence, session));
  const carried = carriedOf(presence, session);
  const down = countOn(session.tx, reported.tx, { at, max });
  const up = countOn(session.rx, reported.rx, { at, max });
  carryRevision(carried, session.tx.countedAt, down.revision, 0);
  carryRevision(carried, session.rx.countedAt, 0, up.revision);
  session.tx = down.counter;
  session.rx = up.counter;
  revise(session, down.revision, up.revision);
  const share = shareAt(session, at);
  session.down += down.flow;
  session.up += up.flow;
  share.down += down.flow;
  share.up += up.flow;
  carried.flow.down += down.flow;
  carried.flow.up += up.flow;
  return Number(down.clamped) + Number(up.clamped);
}

export function carriedOf({ carried }: Presence, { bssid, band }: Session): Carried {
  const known = carried.get(bssid);
  if (known) return known;
  const none: Carried = { band, flow: { down: 0, up: 0 }, revisions: new Map() };
  carried.set(bssid, none);
  return none;
}

/** Corrects the report that arrived `at`, milliseconds. */
export function carryRevision({ revisions }: Carried, at: number, down: number, up: number): void {
  if (down === 0 && up === 0) return;
  const own = revisions.get(at) ?? { down: 0, up: 0 };
  revisions.set(at, { down: own.down + down, up: own.up + up });
}

/** Corrects the last observation. */
export function revise(session: Session, down: number, up: number): void {
  if (down === 0 && up === 0) return;
  const share = shareAt(session, session.lastAt);
  session.down += down;
  session.up += up;
  share.down += down;
  share.up += up;
}

/** Returns bytes per second. */
export function speedOf({ speeds }: Presence, { band }: Pick<Session, 'band'>): number {
  if (band === 0) return speeds.cable;
  return band === unknownBand ? unknownSpeeds.wan : speeds.air[band];
}
