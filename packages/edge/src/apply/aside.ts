import type { Plan } from '../render/plan.ts';
import { type ForeignRoute, type Ownership, outwardDevices, type Snapshot } from './ownership.ts';

export function leadsOut({ routes, links }: Plan, device: string): boolean {
  const above = links.flatMap((link) => (link.kind === 'vlan' && link.parent === device ? [link.device] : []));
  const ours = new Set([device, ...above]);
  return routes.some((route) => route.to === 'default' && route.device !== null && ours.has(route.device));
}

/**
 * Returns whether foreign default routes give way, while one WAN of the plan leads out: they would win over a WAN
 * without a lease.
 */
export function givesWay(plan: Plan, device: string): boolean {
  return outwardDevices(plan).has(device) && plan.lines.some((wan) => leadsOut(plan, wan.device));
}

/**
 * Returns missing foreign default routes. A device with another one needs none: its client got a new address.
 * `sourceless`: also those whose source address is gone, without it.
 */
export function owedRoutes(
  plan: Plan,
  { aside }: Pick<Ownership, 'aside'>,
  { defaults, addresses }: Pick<Snapshot, 'defaults' | 'addresses'>,
  sourceless: boolean,
): ForeignRoute[] {
  const hosts = new Set(addresses.map((key) => key.split(' ')[1]?.split('/')[0]));
  return aside.flatMap((route) => {
    if (givesWay(plan, route.device) || defaults.some(({ device }) => device === route.device)) return [];
    if (route.source === null || hosts.has(route.source)) return [route];
    return sourceless ? [{ ...route, source: null }] : [];
  });
}
