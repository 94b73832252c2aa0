import { asList, asRecord, asText } from '@yunxun/contract/device';
import type { Plan } from '../render/plan.ts';
import { planKeys } from '../render/plan.ts';

/**
 * What stood on the box before we came, of the things that a plan touches: it is not removed when the plan goes, and what
 * we changed of it is put back. Everything else of other people is not even read.
 */
export interface Ownership {
  /** Kernel settings as they were, by path. */
  settings: Readonly<Record<string, string>>;
  /** Addresses that a plan names and that were there already (`eth0 192.0.2.2/24`). */
  addresses: readonly string[];
  /** Devices of others that a plan puts below a bridge. */
  ports: Readonly<Record<string, PortBefore>>;
  /** Default routes of others over our lines: they would win over ours, so they are set aside while the line is ours. */
  aside: readonly ForeignRoute[];
}

/** A port as it was. */
export interface PortBefore {
  master: string | null;
  mtu: number;
}

/** A default route as `ip -j route` tells it. */
export interface ForeignRoute {
  device: string;
  via: string | null;
  metric: number;
  protocol: string;
  source: string | null;
}

/** What a snapshot reads of the box. */
export interface Snapshot {
  settings: Readonly<Record<string, string>>;
  addresses: readonly string[];
  ports: Readonly<Record<string, PortBefore>>;
  defaults: readonly ForeignRoute[];
}

/** Nothing of others is touched. */
export const nothingOwned: Ownership = { settings: {}, addresses: [], ports: {}, aside: [] };

/**
 * What has to be known for going from one plan (with what its lines have) to another and back: what was noted when the
 * first one came, and what the snapshot shows of things that only the second one touches.
 */
export function ownershipFor(before: Plan, after: Plan, known: Ownership, seen: Snapshot): Ownership {
  const settingsBefore = new Set(before.sysctls.map(planKeys.sysctls));
  const addressesBefore = new Set(before.addresses.map(planKeys.addresses));
  const portsBefore = new Set(portsOf(before));
  const linesBefore = new Set(before.lines.map(({ device }) => device));
  const settings = { ...known.settings };
  for (const { path } of after.sysctls) {
    const value = seen.settings[path];
    if (!settingsBefore.has(path) && value !== undefined) settings[path] = value;
  }
  const ports = { ...known.ports };
  for (const device of portsOf(after)) {
    const port = seen.ports[device];
    if (!portsBefore.has(device) && port !== undefined) ports[device] = port;
  }
  const clientsBefore = new Set(before.dhcpClients.map(({ device }) => device));
  const clients = new Set(after.dhcpClients.map(({ device }) => device).filter((device) => !clientsBefore.has(device)));
  const wanted = new Set(after.addresses.map(planKeys.addresses));
  // what a DHCP client will learn is not in the plan: whatever its device has already is of others
  const found = seen.addresses.filter(
    (key) => !addressesBefore.has(key) && (wanted.has(key) || clients.has(deviceOf(key))),
  );
  const lines = new Set(after.lines.map(({ device }) => device));
  const aside = seen.defaults.filter(({ device }) => lines.has(device) && !linesBefore.has(device));
  return {
    settings,
    addresses: [...new Set([...known.addresses, ...found])],
    ports,
    aside: [...known.aside, ...aside],
  };
}

/** What is still to be known once only this plan is left. */
export function keptFor(plan: Plan, known: Ownership): Ownership {
  const settings = new Set(plan.sysctls.map(planKeys.sysctls));
  const addresses = new Set(plan.addresses.map(planKeys.addresses));
  const clients = new Set(plan.dhcpClients.map(({ device }) => device));
  const ports = new Set(portsOf(plan));
  const lines = new Set(plan.lines.map(({ device }) => device));
  return {
    settings: Object.fromEntries(Object.entries(known.settings).filter(([path]) => settings.has(path))),
    addresses: known.addresses.filter((key) => addresses.has(key) || clients.has(deviceOf(key))),
    ports: Object.fromEntries(Object.entries(known.ports).filter(([device]) => ports.has(device))),
    aside: known.aside.filter(({ device }) => lines.has(device)),
  };
}

function deviceOf(addressKey: string): string {
  return addressKey.split(' ')[0] ?? '';
}

/** Other people's devices that a plan uses. */
export function portsOf(plan: Plan): string[] {
  return plan.links.filter(({ kind }) => kind === 'port').map(({ device }) => device);
}

/** Reads what was written by `JSON.stringify`; what is broken counts as nothing. */
export function readOwnership(value: unknown): Ownership {
  const read = asRecord<Ownership>(value);
  return {
    settings: asRecord(read.settings) as Ownership['settings'],
    addresses: asList(read.addresses).filter((entry): entry is string => asText(entry) !== null),
    ports: asRecord(read.ports) as Ownership['ports'],
    aside: asList(read.aside) as Ownership['aside'],
  };
}
