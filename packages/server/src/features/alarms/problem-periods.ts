import type { AlarmKind } from '@yunxun/contract';

/** One occurrence of a problem. Times are epoch milliseconds. */
export interface ProblemPeriod {
  kind: AlarmKind;
  serial: string | null;
  part: string;
  gwid: string;
  groupId: string | null;
  began: number;
  /** Null while it lasts. */
  ended: number | null;
  /** The console planned it, or was away. */
  quietUntil: number | null;
  excused: boolean;
  value: number | null;
  /** By the last report. */
  clients: number | null;
}

/** One open incident per key. */
export type Key = string;

export function keyOf({ kind, serial, part, gwid }: Pick<ProblemPeriod, 'kind' | 'serial' | 'part' | 'gwid'>): Key {
  return `${kind} ${serial ?? gwid} ${part}`;
}

const offline = [
  'network_offline',
  'gateway_offline',
  'uplink_lost',
  'switch_offline',
  'ap_offline',
] as const satisfies readonly AlarmKind[];
export type OfflineKind = (typeof offline)[number];
export const offlineKinds: ReadonlySet<AlarmKind> = new Set(offline);

/** Returns whether it can have a cause: lost connections can. */
export function isOffline({ kind }: Pick<ProblemPeriod, 'kind'>): boolean {
  return offlineKinds.has(kind);
}

/**
 * Returns when all devices of a network without a gateway are offline: its uplink or power failed.
 * @param members devices that ever connected
 * @param absences their offline periods
 */
export function networkPeriods(gwid: string, members: number, absences: readonly ProblemPeriod[]): ProblemPeriod[] {
  if (members < 2) return [];
  const edges = absences
    .flatMap((period) => [
      { at: period.began, step: 1, period },
      { at: period.ended ?? Number.POSITIVE_INFINITY, step: -1, period },
    ])
    .toSorted((a, b) => a.at - b.at || a.step - b.step);
  const away = new Set<ProblemPeriod>();
  const found: ProblemPeriod[] = [];
  for (const { at, step, period } of edges) {
    const last = found.at(-1);
    if (step < 0) {
      if (last?.ended === null && away.size === members && Number.isFinite(at)) last.ended = at;
      away.delete(period);
      continue;
    }
    away.add(period);
    if (away.size < members) continue;
    const all = [...away];
    found.push({
      kind: 'network_offline',
      serial: null,
      part: '',
      gwid,
      groupId: null,
      began: at,
      ended: null,
      value: null,
      quietUntil: all.reduce<number | null>((until, one) => later(until, one.quietUntil), null),
      excused: all.some((one) => one.excused),
      clients: all.reduce<number | null>((sum, one) => plus(sum, one.clients), null),
    });
  }
  return found;
}

export function firstByNetwork(periods: readonly Pick<ProblemPeriod, 'gwid' | 'began'>[]): ReadonlyMap<string, Date> {
  const first = new Map<string, Date>();
  for (const { gwid, began } of periods)
    first.set(gwid, new Date(Math.min(began, first.get(gwid)?.getTime() ?? began)));
  return first;
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

export function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : a + b;
}
