import { type Ended, roamWithin, type Session } from '../ingest/client-session.ts';

export interface OpenAt {
  serial: string;
  session: Session;
}

export interface EndedAt extends OpenAt {
  ended: Ended;
}

/** Ends those sessions by `roam` that another radio took over, as `writeRoamed` of ingest. */
export function nameRoaming(ended: readonly EndedAt[], open: readonly OpenAt[]): void {
  const byMac = new Map<string, OpenAt[]>();
  for (const one of [...ended, ...open]) {
    if (one.session.band === 0) continue;
    const own = byMac.get(one.session.mac);
    if (own) own.push(one);
    else byMac.set(one.session.mac, [one]);
  }
  for (const { serial, session, ended: end } of ended) {
    if (session.band === 0 || end.reason === 'restart') continue;
    const since = end.endedAt + 1000 * (end.reason === 'gone' ? roamWithin.gone : roamWithin.leave);
    const isElsewhere = (other: OpenAt) => other.serial !== serial || other.session.bssid !== session.bssid;
    const next = byMac
      .get(session.mac)
      ?.some(
        (other) =>
          other.session.startedAt > session.startedAt && other.session.startedAt <= since && isElsewhere(other),
      );
    if (next) end.reason = 'roam';
  }
}

/** Uncounts wired bytes of clients that an access point counted, as `zeroWirelessDuplicates` of ingest. */
export function uncountDuplicates(ended: readonly EndedAt[], open: readonly OpenAt[]): void {
  const onAirUntil = new Map<string, number>();
  for (const { session, ended: end } of ended)
    if (session.band > 0) onAirUntil.set(session.mac, Math.max(end.endedAt, onAirUntil.get(session.mac) ?? 0));
  for (const { session } of open) if (session.band > 0) onAirUntil.set(session.mac, Number.POSITIVE_INFINITY);
  for (const { session } of [...ended, ...open]) {
    const until = session.band === 0 ? onAirUntil.get(session.mac) : undefined;
    if (until === undefined) continue;
    for (const share of session.shares) if (share.from <= until) [share.down, share.up] = [0, 0];
  }
}
