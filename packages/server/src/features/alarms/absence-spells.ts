import { grouped } from '../../platform/grouped.ts';
import type { Absence } from '../fleet/outages/absences.ts';
import { type Key, keyOf, networkSpells, type Spell } from './spells.ts';

const offlineOf = { gateway: 'gateway_offline', switch: 'switch_offline', ap: 'ap_offline' } as const;

export interface Lost {
  spells: Spell[];
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
  const lost: Lost = { spells: [], gateways: new Map() };
  for (const [gwid, rows] of grouped(away, (row) => row.gwid)) {
    const spells = rows.map(spellOf);
    lost.spells.push(...spells, ...networkSpells(gwid, members.get(gwid) ?? 0, spells));
    const { gateway_serial: serial } = rows[0]!;
    const [kind, id] = serial === null ? (['network_offline', null] as const) : (['gateway_offline', serial] as const);
    lost.gateways.set(gwid, keyOf({ kind, serial: id, part: '', gwid }));
  }
  return lost;
}

function spellOf(row: Absence): Spell {
  return {
    kind: row.leads ? 'gateway_offline' : offlineOf[row.kind],
    ...{ serial: row.serial, part: '', gwid: row.gwid, groupId: row.group_id },
    ...{ began: row.began_at.getTime(), ended: row.ended_at?.getTime() ?? null },
    ...{ quietUntil: row.quiet_until?.getTime() ?? null, excused: row.excused, value: null, clients: row.clients },
  };
}
