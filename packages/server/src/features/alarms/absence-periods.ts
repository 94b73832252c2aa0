import { grouped } from '../../platform/grouped.ts';
import type { deviceOutages } from '../fleet/index.ts';
import { type Key, keyOf, networkPeriods, type ProblemPeriod } from './problem-periods.ts';

type Absence = Awaited<ReturnType<typeof deviceOutages.absences>>[number];

const offlineOf = { gateway: 'gateway_offline', switch: 'switch_offline', ap: 'ap_offline' } as const;

export interface Lost {
  periods: ProblemPeriod[];
  /** By which other devices are connected; without a gateway the network itself. */
  gateways: Map<string, Key>;
}

/** Returns networks without a gateway that lack two devices or more. */
export function networksToCount(away: readonly Absence[]): string[] {
  const without = grouped(
    away.filter((row) => row.gateway_serial === null),
    (row) => row.gwid,
  );
  return [...without].flatMap(([gwid, rows]) => (new Set(rows.map((row) => row.serial)).size > 1 ? [gwid] : []));
}

/**
 * Adds absences of whole networks.
 * @param members devices that ever connected, by network
 */
export function lostConnections(away: readonly Absence[], members: ReadonlyMap<string, number>): Lost {
  const lost: Lost = { periods: [], gateways: new Map() };
  for (const [gwid, rows] of grouped(away, (row) => row.gwid)) {
    const periods = rows.map(periodOf);
    lost.periods.push(...periods, ...networkPeriods(gwid, members.get(gwid) ?? 0, periods));
    const { gateway_serial: serial } = rows[0]!;
    const [kind, id] = serial === null ? (['network_offline', null] as const) : (['gateway_offline', serial] as const);
    lost.gateways.set(gwid, keyOf({ kind, serial: id, part: '', gwid }));
  }
  return lost;
}

function periodOf(row: Absence): ProblemPeriod {
  return {
    kind: row.leads ? 'gateway_offline' : offlineOf[row.kind],
    serial: row.serial,
    part: '',
    gwid: row.gwid,
    groupId: row.group_id,
    began: row.began_at.getTime(),
    ended: row.ended_at?.getTime() ?? null,
    quietUntil: row.quiet_until?.getTime() ?? null,
    excused: row.excused,
    value: null,
    clients: row.clients,
  };
}
