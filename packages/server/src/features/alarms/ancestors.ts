import { kindParts } from '@yunxun/contract/alarm-kinds';
import type { Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import type { Lost } from './absence-periods.ts';
import type { Facts } from './facts.ts';
import { isOffline, type Key, keyOf, type ProblemPeriod } from './problem-periods.ts';
import { type DrawnTree, groupKey, sharedPeriods, type UplinkGroup, uplinkGroups } from './shared-uplinks.ts';

/** Per evaluation. */
const maxTopologies = 50;

export interface Topology {
  /** @param clients MACs to place */
  drawTree(tx: Tx, accountId: string, gwid: string, now: Date, clients: ReadonlySet<string>): Promise<DrawnTree>;
  peripheralMacs(tx: Tx, gwids: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>;
}

type Ancestors = Facts['ancestorsOf'];

/** Uses the gateway, or the network without one, as every ancestor. */
export function plainAncestors({ gateways }: Pick<Lost, 'gateways'>): Ancestors {
  return (period) => {
    const gateway = hangs(period) ? gateways.get(period.gwid) : undefined;
    return gateway === undefined || gateway === keyOf(period) ? [] : [gateway];
  };
}

/** Milliseconds between the loss of a WAN and of the tunnels through it. */
const wanMs = 5 * 60_000;

/** Adds the WANs with which tunnels of a gateway went down. */
export function underWans(ancestorsOf: Ancestors, periods: readonly ProblemPeriod[]): Ancestors {
  const wans = grouped(
    periods.filter(({ kind }) => kind === 'wan_down'),
    ({ serial }) => serial,
  );
  return (period) => {
    if (kindParts[period.kind].causedBy !== 'wan') return ancestorsOf(period);
    const lost = (wans.get(period.serial) ?? []).filter((wan) => Math.abs(wan.began - period.began) <= wanMs);
    return [...new Set(lost.map(keyOf))];
  };
}

function hangs({ kind }: ProblemPeriod): boolean {
  return kindParts[kind].causedBy === 'connection';
}

export interface Connections {
  ancestorsOf: Ancestors;
  /** Devices behind one uplink, offline together. */
  shared: ProblemPeriod[];
  groups: UplinkGroup[];
  /** Several devices are away, but their topology was not read. */
  unread: ReadonlySet<string>;
}

/**
 * Adds switches and shared uplinks where several devices are away.
 * @param remembered groups at the time of the loss, instead of the present topology
 */
export async function connectionsByTopology(
  tx: Tx,
  topology: Topology,
  {
    accountId,
    periods,
    gateways,
    now,
    remembered = [],
  }: Lost & { accountId: string; now: Date; remembered?: readonly UplinkGroup[] },
): Promise<Connections> {
  const plain = plainAncestors({ gateways });
  const away = periods.filter((period) => isOffline(period) && period.serial !== null);
  const awayOf = grouped(away, ({ gwid }) => gwid);
  const serialsOf = (gwid: string) => new Set((awayOf.get(gwid) ?? []).map(({ serial }) => serial!));
  const switches = new Map<string, ProblemPeriod>();
  for (const period of away) if (period.kind === 'switch_offline') switches.set(period.serial!, period);
  const several = [...awayOf.keys()].toSorted().filter((gwid) => serialsOf(gwid).size > 1);
  const lonely = [...new Set([...switches.values()].map(({ gwid }) => gwid))].filter(
    (gwid) => serialsOf(gwid).size === 1,
  );
  const readable = [...several, ...lonely].slice(0, maxTopologies);
  const macs = await topology.peripheralMacs(tx, readable);
  const above = new Map<string, Key[]>();
  const groups = new Map<Key, UplinkGroup>();
  for (const gwid of readable) {
    const own = macs.get(gwid) ?? new Map<string, string>();
    const drawn = await topology.drawTree(tx, accountId, gwid, now, new Set(own.values()));
    const parents = new Map(drawn.tree.nodes.map((node) => [node.id, node.parent]));
    const pathOf = (id: string) => {
      const path: Key[] = [];
      const passed = new Set([id]);
      for (let at = parents.get(id); at && !passed.has(at); at = parents.get(at)) {
        passed.add(at);
        const between = switches.get(at);
        if (between) path.unshift(keyOf(between));
      }
      return path;
    };
    for (const serial of serialsOf(gwid)) above.set(serial, pathOf(serial));
    for (const [name, mac] of own) above.set(partKey(gwid, name), pathOf(`sta:${mac}`));
    for (const group of uplinkGroups(gwid, drawn)) groups.set(groupKey(group), group);
  }
  for (const group of remembered) groups.set(groupKey(group), group);
  return {
    ...connectionsOf({ plain, above, groups: [...groups.values()], away }),
    unread: new Set(several.slice(maxTopologies)),
  };
}

const partKey = (gwid: string, name: string) => `${gwid} ${name}`;

export function connectionsOf({
  plain,
  above,
  groups,
  away,
}: {
  plain: Ancestors;
  /** By serial or peripheral device; outermost first. */
  above: ReadonlyMap<string, readonly Key[]>;
  groups: readonly UplinkGroup[];
  away: readonly ProblemPeriod[];
}): Omit<Connections, 'unread'> {
  const shared = groups.flatMap((group) => sharedPeriods(group, away));
  const lost = new Set(shared.map(keyOf));
  const groupsOf = new Map<string, UplinkGroup[]>();
  // widest first: a narrower one does not claim its members
  for (const group of groups.toSorted(
    (a, b) => b.members.length - a.members.length || (groupKey(a) < groupKey(b) ? -1 : 1),
  ))
    if (lost.has(groupKey(group)))
      for (const member of group.members) groupsOf.set(member, [...(groupsOf.get(member) ?? []), group]);
  const byKey = new Map(groups.map((group) => [groupKey(group), group]));
  const ancestorsOf: Ancestors = (period) => {
    if (!hangs(period)) return [];
    if (!isOffline(period)) return [...plain(period), ...(above.get(partKey(period.gwid, period.part)) ?? [])];
    if (period.kind !== 'uplink_lost')
      return [
        ...plain(period),
        ...(above.get(period.serial ?? '') ?? []),
        ...(groupsOf.get(period.serial ?? '') ?? []).map(groupKey),
      ];
    const [first] = byKey.get(keyOf(period))?.members ?? [];
    if (first === undefined) return plain(period);
    const wider = groupsOf.get(first) ?? [];
    const at = wider.findIndex((group) => groupKey(group) === keyOf(period));
    return [...plain(period), ...(above.get(first) ?? []), ...wider.slice(0, Math.max(0, at)).map(groupKey)];
  };
  return { ancestorsOf, shared, groups: [...groups] };
}
