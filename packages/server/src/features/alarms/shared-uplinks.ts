import type { DeviceKind } from '@yunxun/contract';
import { noticeMs } from './due.ts';
import { isOffline, type Key, keyOf, type ProblemPeriod, plus } from './problem-periods.ts';

export interface DrawnTree {
  tree: {
    nodes: readonly { id: string; parent: string | null; link: { source: string; port: string | null } | null }[];
    equipment: ReadonlyMap<string, { id: string; name: string | null; mac: string | null }>;
  };
  devices: ReadonlyMap<string, { kind: DeviceKind; status: string }>;
}

/** Behind one port, switch or unmanaged equipment. */
export interface UplinkGroup {
  gwid: string;
  /** Null: unmanaged equipment. */
  parent: string | null;
  /** Port or name; empty: access points of a whole device. */
  part: string;
  members: readonly string[];
}

export function groupKey({ gwid, parent, part }: Pick<UplinkGroup, 'gwid' | 'parent' | 'part'>): Key {
  return keyOf({ kind: 'uplink_lost', serial: parent, part, gwid });
}

/**
 * Returns groups of two or more, widest first: by port, by unmanaged equipment, and a device's access points, which
 * share its power supply.
 */
export function uplinkGroups(gwid: string, { tree, devices }: DrawnTree): UplinkGroup[] {
  const found = new Map<string, UplinkGroup & { members: string[] }>();
  const add = (parent: string | null, part: string, member: string) => {
    const key = groupKey({ gwid, parent, part });
    const group = found.get(key) ?? { gwid, parent, part, members: [] };
    group.members.push(member);
    found.set(key, group);
  };
  for (const node of tree.nodes) {
    const device = devices.get(node.id);
    if (!device || node.parent === null || device.status === 'never_connected') continue;
    const equipment = tree.equipment.get(node.parent);
    if (equipment) add(null, equipment.name ?? equipment.mac ?? equipment.id, node.id);
    else if (node.link?.source !== 'wireless') {
      if (device.kind === 'ap') add(node.parent, '', node.id);
      if (node.link?.port) add(node.parent, node.link.port, node.id);
    }
  }
  const several = [...found.values()].filter(({ members }) => members.length > 1);
  const onePort = (wide: UplinkGroup) =>
    several.some(
      ({ parent, part, members }) =>
        part !== '' && parent === wide.parent && wide.members.every((member) => members.includes(member)),
    );
  return several
    .filter((group) => group.part !== '' || !onePort(group))
    .toSorted((a, b) => b.members.length - a.members.length || (groupKey(a) < groupKey(b) ? -1 : 1));
}

/** Returns when all were offline, two or more lost within the notice time. Others have a cause of their own. */
export function sharedPeriods(
  { gwid, parent, part, members }: UplinkGroup,
  absences: readonly ProblemPeriod[],
): ProblemPeriod[] {
  const edges = absences
    .filter((period) => isOffline(period) && period.serial !== null && members.includes(period.serial))
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
      if (last?.ended === null && away.size === members.length && Number.isFinite(at)) last.ended = at;
      away.delete(period);
      continue;
    }
    away.add(period);
    const together = [...away].filter(({ began }) => began >= at - noticeMs);
    if (away.size < members.length || together.length < 2) continue;
    found.push({
      kind: 'uplink_lost',
      serial: parent,
      part,
      gwid,
      groupId: null,
      began: at,
      ended: null,
      value: null,
      quietUntil: together.reduce<number | null>(
        (until, one) => Math.max(until ?? 0, one.quietUntil ?? 0) || null,
        null,
      ),
      excused: together.some((one) => one.excused),
      clients: together.reduce<number | null>((sum, one) => plus(sum, one.clients), null),
    });
  }
  return found;
}

/** Milliseconds to read the topology after a loss; then it is remembered. */
const freshMs = 2 * noticeMs;

/** Returns whether two were lost lately, so that their shared part is remembered. */
export function mayShare(periods: readonly ProblemPeriod[], now: number): boolean {
  const lost = new Map<string, number>();
  for (const { kind, serial, gwid, began, ended } of periods)
    if (isOffline({ kind }) && serial !== null && ended === null && began > now - freshMs)
      lost.set(gwid, (lost.get(gwid) ?? 0) + 1);
  return [...lost.values()].some((devices) => devices > 1);
}
