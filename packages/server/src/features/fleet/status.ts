import type { DeviceStatus } from '@yunxun/contract';

/** How long a commanded restart may take before the device counts as offline. */
export const restartLimitMs = 10 * 60_000;
/** A session that nobody has vouched for this long is not known to be open: its gateway process may be gone. */
export const vouchLimitMs = 5 * 60_000;
/** A plain reconnect this soon after a commanded restart comes before the restart: access points wait 10 s and 10 s more. */
const restartDelayMs = 20_000;

/** The facts that a status is made of. All are kept when a device goes away; the status says what they are worth. */
export interface Presence {
  online: boolean;
  onlineSince: Date | null;
  offlineSince: Date | null;
  /** When we commanded a restart from which the device has not returned. */
  restartingSince: Date | null;
  restartReason: string | null;
  /** When it last came back from a start, by its own word; a plain reconnect is none. */
  bootedAt: Date | null;
  /** First and last time a session of it was known to be open. */
  firstSeen: Date | null;
  lastSeen: Date | null;
}

export const neverSeen: Presence = {
  online: false,
  onlineSince: null,
  offlineSince: null,
  restartingSince: null,
  restartReason: null,
  bootedAt: null,
  firstSeen: null,
  lastSeen: null,
};

/** What may happen to a device's presence. */
export type PresenceChange =
  | { type: 'connected'; at: Date; reason: string | null }
  | { type: 'disconnected'; at: Date }
  | { type: 'seen'; at: Date }
  | { type: 'restart_commanded'; at: Date };

/** The presence after a change. */
export function nextPresence(before: Presence, change: PresenceChange): Presence {
  const { at } = change;
  switch (change.type) {
    case 'connected': {
      const booted = change.reason !== null && change.reason !== 'socket';
      const elapsed = before.restartingSince ? at.getTime() - before.restartingSince.getTime() : 0;
      const stillToRestart = before.restartingSince !== null && change.reason === 'socket' && elapsed < restartDelayMs;
      return {
        online: true,
        onlineSince: before.online && before.onlineSince && change.reason === 'socket' ? before.onlineSince : at,
        offlineSince: before.offlineSince,
        restartingSince: stillToRestart ? before.restartingSince : null,
        restartReason: booted ? change.reason : before.restartReason,
        bootedAt: booted ? at : before.bootedAt,
        firstSeen: before.firstSeen ?? at,
        lastSeen: later(before.lastSeen, at),
      };
    }
    case 'disconnected':
      if (!before.online) return before;
      return { ...before, online: false, onlineSince: null, offlineSince: at, lastSeen: before.lastSeen ?? at };
    case 'seen':
      return before.online ? { ...before, lastSeen: later(before.lastSeen, at) } : before;
    case 'restart_commanded':
      return { ...before, restartingSince: at };
  }
}

function later(a: Date | null, b: Date): Date {
  return a && a > b ? a : b;
}

/** The status at a moment; `platform.presence` in the database says the same. */
export function statusOf(presence: Presence, now: Date): DeviceStatus {
  const { restartingSince, lastSeen } = presence;
  if (restartingSince && now.getTime() - restartingSince.getTime() < restartLimitMs) return 'restarting';
  if (presence.online) {
    return lastSeen && now.getTime() - lastSeen.getTime() < vouchLimitMs ? 'online' : 'unknown';
  }
  return presence.firstSeen ? 'offline' : 'never_connected';
}

/** Since when something has that status; null when nobody can say. */
export function statusSince(presence: Presence, status: DeviceStatus): Date | null {
  const { onlineSince, restartingSince, offlineSince, lastSeen } = presence;
  const columns = {
    online_since: onlineSince,
    restarting_since: restartingSince,
    offline_since: offlineSince,
    last_seen: lastSeen,
  };
  return sinceOf(columns, status);
}

/** The same, from the columns of a row. */
export function sinceOf(
  row: { online_since: Date | null; restarting_since: Date | null; offline_since: Date | null; last_seen: Date | null },
  status: DeviceStatus,
): Date | null {
  switch (status) {
    case 'online':
      return row.online_since;
    case 'restarting':
      return row.restarting_since;
    case 'offline':
      return row.offline_since ?? row.last_seen;
    case 'unknown':
      return row.last_seen;
    case 'never_connected':
      return null;
  }
}

/** Order of statuses in a sort and in a network's sum: the first that any device has is the network's. */
export const statusRanks: readonly DeviceStatus[] = ['online', 'restarting', 'unknown', 'offline', 'never_connected'];

/** The status of a rank from the database (1 is the first). */
export function statusOfRank(rank: number | null): DeviceStatus {
  return statusRanks[(rank ?? statusRanks.length) - 1] ?? 'never_connected';
}

/** The rank of a status in the database. */
export function rankOf(status: DeviceStatus): number {
  return statusRanks.indexOf(status) + 1;
}
