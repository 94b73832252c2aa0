import type { DeviceStatus } from '@yunxun/contract';

export const restartLimitMs = 10 * 60_000;
/** Milliseconds without a heartbeat after which the status is unknown: the process may have died. */
export const vouchLimitMs = 5 * 60_000;
/** Milliseconds; access points wait twice 10 s, so an earlier reconnect is not the restart. */
const restartDelayMs = 20_000;

/** Kept while offline. */
export interface Presence {
  online: boolean;
  onlineSince: Date | null;
  offlineSince: Date | null;
  /** Accepted restart without a boot yet. */
  restartingSince: Date | null;
  restartReason: string | null;
  /** Not by a plain reconnect. */
  bootedAt: Date | null;
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

export type PresenceChange =
  | { type: 'connected'; at: Date; reason: string | null }
  | { type: 'disconnected'; at: Date }
  | { type: 'seen'; at: Date }
  | { type: 'restart_commanded'; at: Date };

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

/** Computes the status; must equal `platform.presence` in the database. */
export function statusOf(presence: Presence, now: Date): DeviceStatus {
  const { restartingSince, lastSeen } = presence;
  if (restartingSince && now.getTime() - restartingSince.getTime() < restartLimitMs) return 'restarting';
  if (presence.online) {
    return lastSeen && now.getTime() - lastSeen.getTime() < vouchLimitMs ? 'online' : 'unknown';
  }
  return presence.firstSeen ? 'offline' : 'never_connected';
}

/** Returns null if unknown. */
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

/** A network takes the first that a device has. */
export const statusRanks: readonly DeviceStatus[] = ['online', 'restarting', 'unknown', 'offline', 'never_connected'];

export function statusOfRank(rank: number | null): DeviceStatus {
  return statusRanks[(rank ?? statusRanks.length) - 1] ?? 'never_connected';
}

export function rankOf(status: DeviceStatus): number {
  return statusRanks.indexOf(status) + 1;
}
