import type { OutageCause } from '@yunxun/contract';
import type { DisconnectReason } from '../../../uplink/index.ts';

/** Milliseconds after the console was back; later returns have another cause. */
export const consoleGraceMs = 5 * 60_000;
/** Milliseconds that a restart, upgrade or push explains: the limit of an upgrade. */
export const plannedLimitMs = 20 * 60_000;
/** Milliseconds: uptimes are whole seconds, reports have latency. */
const bootSlackMs = 2000;

const endedByConsole: ReadonlySet<DisconnectReason> = new Set(['server-stopped', 'process-gone', 'server-error']);
/** Only the client may have restarted. */
const provesNoBoot: ReadonlySet<string> = new Set(['socket', 'recovery', 'certupdate']);

export type LossCause = Extract<OutageCause, 'console' | 'planned'>;

/** Returns null if only the return can tell. */
export function causeAtLoss(
  device: { restarting_since: Date | null; sync_state: string | null },
  end: { at: Date; reason: DisconnectReason },
): LossCause | null {
  if (endedByConsole.has(end.reason)) return 'console';
  const { restarting_since: reported, sync_state } = device;
  const restarting = reported !== null && end.at.getTime() - reported.getTime() <= plannedLimitMs;
  return restarting || sync_state === 'applying' ? 'planned' : null;
}

export function saysBoot(reason: string | null): boolean {
  return reason !== null && !provesNoBoot.has(reason);
}

/**
 * Decides by the connect reason until a report has an uptime.
 * @param consoleUpSince when devices could connect again
 */
export function causeAtReturn(outage: {
  began: Date;
  ended: Date;
  lost: LossCause | null;
  restartingSince: Date | null;
  consoleUpSince: Date | null;
  reason: string | null;
}): OutageCause {
  const { began, ended, lost, restartingSince, consoleUpSince, reason } = outage;
  const resumed = Math.max(began.getTime(), consoleUpSince?.getTime() ?? 0);
  if (lost === 'console' && ended.getTime() - resumed <= consoleGraceMs) return 'console';
  // may be recorded after the disconnect
  const commanded = restartingSince !== null && began.getTime() - restartingSince.getTime() <= plannedLimitMs;
  const short = ended.getTime() - began.getTime() <= plannedLimitMs;
  if (short && (lost === 'planned' || commanded)) return 'planned';
  if (saysBoot(reason)) return 'power';
  return reason === null ? 'unknown' : 'link';
}

/** Returns `power` for a boot during the outage: power loss or own restart. */
export function causeByUptime(began: Date, reportedAt: Date, uptimeS: number): Extract<OutageCause, 'power' | 'link'> {
  return reportedAt.getTime() - uptimeS * 1000 >= began.getTime() - bootSlackMs ? 'power' : 'link';
}
