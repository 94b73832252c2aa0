import { asList, asRecord, asText } from '@yunxun/contract/device';
import type { Plan } from '../render/plan.ts';
import { planKeys } from '../render/plan.ts';

/**
 * State before the agent's changes, limited to what plans touch. Foreign entries are kept when a plan is removed;
 * modified ones are restored.
 */
export interface Ownership {
  settings: Readonly<Record<string, string>>;
  addresses: readonly string[];
  ports: Readonly<Record<string, PortBefore>>;
  /** They would win over ours, so they are removed while the WAN exists. */
  aside: readonly ForeignRoute[];
}

export interface PortBefore {
  master: string | null;
  mtu: number;
  /** Absent in records of agents that did not set MACs. */
  mac?: string;
}

export interface ForeignRoute {
  device: string;
  via: string | null;
  metric: number;
  protocol: string;
  source: string | null;
}

export interface Snapshot {
  settings: Readonly<Record<string, string>>;
  addresses: readonly string[];
  ports: Readonly<Record<string, PortBefore>>;
  defaults: readonly ForeignRoute[];
}

export const nothingOwned: Ownership = { settings: {}, addresses: [], ports: {}, aside: [] };

/**
 * Returns the changes from one plan (with WAN states) to another and back. Drops default routes whose source address is
 * gone: the kernel would reject them.
 */
export function ownershipFor(before: Plan, after: Plan, known: Ownership, seen: Snapshot): Ownership {
  const settingsBefore = new Set(before.sysctls.map(planKeys.sysctls));
  const addressesBefore = new Set(before.addresses.map(planKeys.addresses));
  const portsBefore = new Set(portsOf(before));
  const wansBefore = outwardDevices(before);
  const settings = { ...known.settings };
  for (const { path } of after.sysctls) {
    const value = seen.settings[path];
    if (!settingsBefore.has(path) && value !== undefined) settings[path] = value;
  }
  const ports = { ...known.ports };
  for (const device of portsOf(after)) {
    const port = seen.ports[device];
    if (port === undefined) continue;
    const noted = ports[device];
    if (!portsBefore.has(device) || noted === undefined) ports[device] = port;
    // older agents did not change the MAC: the current one is the original
    else if (noted.mac === undefined && port.mac !== undefined) ports[device] = { ...noted, mac: port.mac };
  }
  const clientsBefore = new Set(before.dhcpClients.map(({ device }) => device));
  const clients = new Set(after.dhcpClients.map(({ device }) => device).filter((device) => !clientsBefore.has(device)));
  const wanted = new Set(after.addresses.map(planKeys.addresses));
  // leases are not in the plan, so any address there is foreign
  const found = seen.addresses.filter(
    (key) => !addressesBefore.has(key) && (wanted.has(key) || clients.has(deviceOf(key))),
  );
  const lines = outwardDevices(after);
  const fresh = seen.defaults.filter(({ device }) => lines.has(device) && !wansBefore.has(device));
  const hosts = new Set(seen.addresses.map((key) => key.split(' ')[1]?.split('/')[0]));
  const aside = [...known.aside, ...fresh].filter(({ source }) => source === null || hosts.has(source));
  return {
    settings,
    addresses: [...new Set([...known.addresses, ...found])],
    ports,
    aside,
  };
}

/** `owed`: foreign default routes not restored yet. */
export function keptFor(plan: Plan, known: Ownership, owed: readonly ForeignRoute[] = []): Ownership {
  const settings = new Set(plan.sysctls.map(planKeys.sysctls));
  const addresses = new Set(plan.addresses.map(planKeys.addresses));
  const clients = new Set(plan.dhcpClients.map(({ device }) => device));
  const ports = new Set(portsOf(plan));
  const lines = outwardDevices(plan);
  return {
    settings: Object.fromEntries(Object.entries(known.settings).filter(([path]) => settings.has(path))),
    addresses: known.addresses.filter((key) => addresses.has(key) || clients.has(deviceOf(key))),
    ports: Object.fromEntries(Object.entries(known.ports).filter(([device]) => ports.has(device))),
    aside: known.aside.filter(({ device }) => lines.has(device) || owed.some((route) => route.device === device)),
  };
}

function deviceOf(addressKey: string): string {
  return addressKey.split(' ')[0] ?? '';
}

export function outwardDevices({ lines: wans, links }: Plan): Set<string> {
  const parents = new Map(links.flatMap((link) => (link.kind === 'vlan' ? [[link.device, link.parent] as const] : [])));
  return new Set(wans.flatMap(({ device }) => [device, ...(parents.has(device) ? [parents.get(device)!] : [])]));
}

export function portsOf(plan: Plan): string[] {
  return plan.links.filter(({ kind }) => kind === 'port').map(({ device }) => device);
}

export function readOwnership(value: unknown): Ownership {
  const read = asRecord<Ownership>(value);
  return {
    settings: asRecord(read.settings) as Ownership['settings'],
    addresses: asList(read.addresses).filter((entry): entry is string => asText(entry) !== null),
    ports: asRecord(read.ports) as Ownership['ports'],
    aside: asList(read.aside) as Ownership['aside'],
  };
}
