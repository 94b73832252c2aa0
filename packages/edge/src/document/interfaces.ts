import { type EdgeService, edgeLimits, edgeServices } from '@yunxun/contract/device';
import { dotted, holds, isHost, isUnicast, networkText, overlap, type Subnet } from '@yunxun/contract/ipv4';
import type { Network, Uplink } from './document.ts';
import { type DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';
import { readForwards, readLeases, readPool } from './lan.ts';
import { checkMtus } from './mtu.ts';
import { Sockets } from './ports.ts';
import type { ShapedInterface, ShapedIpv4 } from './shape.ts';

export type WanSettings = Pick<Uplink, 'downKbps' | 'upKbps' | 'probe' | 'metered'>;

export const plainWan: WanSettings = {
  metered: false,
  downKbps: null,
  upKbps: null,
  probe: {
    addresses: [],
    everyS: edgeLimits.probeEvery.otherwise,
    fails: edgeLimits.probeFails.otherwise,
    recovers: edgeLimits.probeRecovers.otherwise,
  },
};

const noMetric = 2 ** 32;

export function readInterfaces(
  shaped: readonly ShapedInterface[],
  facts: Facts,
  errors: DocumentErrors,
): { uplinks: Uplink[]; networks: Network[] } {
  const sockets = new Sockets(facts, errors);
  const uplinks: Uplink[] = [];
  const networks: Network[] = [];
  for (const [index, entry] of shaped.entries()) {
    const path = `/interfaces/${index}`;
    if (entry.role === 'upstream') {
      const uplink = readUplink(entry, index, sockets, facts, errors);
      if (uplink) uplinks.push(uplink);
    } else networks.push(readNetwork(entry, index, sockets, facts, errors));
    rejectServices(entry, path, errors);
  }
  if (!shaped.some(({ role }) => role === 'upstream'))
    errors.error('/interfaces', 'at least one interface must be upstream');
  if (uplinks.length > edgeLimits.lines)
    errors.error('/interfaces', `at most ${edgeLimits.lines} interfaces can be upstream`);
  checkNames(shaped, errors);
  checkVlans(networks, errors);
  checkSubnets(uplinks, networks, errors);
  checkGateways(uplinks, networks, errors);
  checkMtus(uplinks, networks, facts, errors);
  return { uplinks, networks };
}

function common(entry: ShapedInterface, index: number) {
  const { name, vlan, mtu, services = [] } = entry;
  const own = servicesOf(entry).filter((service) => services.includes(service));
  return { index, name: name ?? '', vlan: vlan?.id ?? 0, mtu: mtu ?? null, services: own };
}

function readUplink(
  entry: ShapedInterface,
  index: number,
  sockets: Sockets,
  facts: Facts,
  errors: DocumentErrors,
): Uplink | null {
  const path = `/interfaces/${index}`;
  const ports = sockets.take(entry, path);
  if (ports.length !== 1) {
    const text = entry.ethernet === undefined ? 'has none' : `has ${ports.length}`;
    errors.error(`${path}/ethernet`, `an upstream interface takes exactly one port of this gateway, and this ${text}`);
  }
  if ((entry.vlan !== undefined) !== (ports[0]?.tagged ?? entry.vlan !== undefined))
    errors.error(`${path}/vlan`, 'an upstream interface with a vlan must be tagged');
  for (const key of ['dhcp', 'dhcp-leases', 'port-forward', 'disallow-upstream-subnet'] as const)
    if (entry.ipv4?.[key] !== undefined) errors.error(`${path}/ipv4/${key}`, 'belongs to a downstream interface');
  const addressing = readUplinkAddress(entry.ipv4, `${path}/ipv4`, facts, errors);
  const [port] = ports;
  if (!port || !addressing) return null;
  const dns = entry.ipv4?.['use-dns'] ?? null;
  for (const server of dns ?? []) checkUnicast(server, `${path}/ipv4/use-dns`, errors);
  return {
    ...common(entry, index),
    ...plainWan,
    port,
    mac: entry.ethernet?.find(({ macaddr }) => macaddr !== undefined)?.macaddr ?? null,
    metric: entry.metric ?? noMetric,
    addressing,
    dns: dns !== null && dns.length > 0 ? dns : null,
  };
}

function readUplinkAddress(
  ipv4: ShapedIpv4 | undefined,
  path: string,
  facts: Facts,
  errors: DocumentErrors,
): Uplink['addressing'] | null {
  if (ipv4?.addressing === 'dynamic') {
    for (const key of ['subnet', 'gateway'] as const)
      if (ipv4[key] !== undefined) errors.error(`${path}/${key}`, 'belongs to static addressing');
    if (!facts.abilities.dhcpClient) errors.error(`${path}/addressing`, 'dynamic, but this gateway has no DHCP client');
    return { kind: 'dynamic', sendHostName: ipv4['send-hostname'] ?? true };
  }
  if (ipv4?.addressing !== 'static') {
    errors.error(`${path}/addressing`, 'an upstream interface must be dynamic or static');
    return null;
  }
  const { subnet, gateway } = ipv4;
  if (!subnet) errors.error(`${path}/subnet`, 'is missing');
  if (gateway === undefined) errors.error(`${path}/gateway`, 'is missing');
  if (!subnet || gateway === undefined) return null;
  checkOwnAddress(subnet, edgeLimits.linePrefix, `${path}/subnet`, errors);
  // hosters give a /32, and a gateway outside of it
  if (!isUnicast(gateway) || (holds(subnet, gateway) && !isHost(subnet, gateway)))
    errors.error(`${path}/gateway`, `${dotted(gateway)} is not a host address`);
  else if (gateway === subnet.address) errors.error(`${path}/gateway`, 'is the address of this gateway');
  return { kind: 'static', subnet, gateway };
}

function readNetwork(
  entry: ShapedInterface,
  index: number,
  sockets: Sockets,
  facts: Facts,
  errors: DocumentErrors,
): Network {
  const path = `/interfaces/${index}/ipv4`;
  const ports = sockets.take(entry, `/interfaces/${index}`);
  const { ipv4 } = entry;
  if (ports.length === 0)
    errors.reject(
      `/interfaces/${index}/ethernet`,
      'selects no port of this gateway, so no client can use this network',
    );
  for (const [position, { macaddr }] of (entry.ethernet ?? []).entries())
    if (macaddr !== undefined)
      errors.error(`/interfaces/${index}/ethernet/${position}/macaddr`, 'belongs to an upstream interface');
  if (entry.metric !== undefined) errors.error(`/interfaces/${index}/metric`, 'belongs to an upstream interface');
  if (ipv4?.addressing === 'dynamic')
    errors.error(`${path}/addressing`, 'a downstream interface must be static or none');
  for (const key of ['gateway', 'use-dns'] as const)
    if (ipv4?.[key] !== undefined) errors.error(`${path}/${key}`, 'belongs to an upstream interface');
  const subnet = ipv4?.addressing === 'static' ? (ipv4.subnet ?? null) : null;
  if (ipv4?.addressing === 'static' && !subnet) errors.error(`${path}/subnet`, 'is missing');
  if (subnet) checkOwnAddress(subnet, edgeLimits.lanPrefix, `${path}/subnet`, errors);
  const barred = ipv4?.['disallow-upstream-subnet'] ?? [];
  const without = { ...common(entry, index), ports, subnet, barred, dhcp: null, leases: [], forwards: [] };
  if (!ipv4) return without;
  if (!subnet) {
    for (const key of ['subnet', 'dhcp', 'dhcp-leases', 'port-forward'] as const)
      if (ipv4[key] !== undefined && ipv4.addressing !== 'static')
        errors.error(`${path}/${key}`, 'belongs to static addressing');
    return without;
  }
  return {
    ...without,
    dhcp: readPool(ipv4, subnet, path, facts, errors),
    leases: readLeases(ipv4, subnet, path, errors),
    forwards: readForwards(ipv4, subnet, path, errors),
  };
}

function checkOwnAddress(
  subnet: Subnet,
  { min, max }: { min: number; max: number },
  path: string,
  errors: DocumentErrors,
): void {
  const { address, prefix } = subnet;
  if (prefix < min || prefix > max) errors.error(path, `the prefix must be from ${min} to ${max}, not ${prefix}`);
  else if (!isHost(subnet, address))
    errors.error(path, `${dotted(address)} is the network or the broadcast address of ${networkText(subnet)}`);
  else checkUnicast(address, path, errors);
}

function checkUnicast(address: number, path: string, errors: DocumentErrors): void {
  if (!isUnicast(address)) errors.error(path, `${dotted(address)} is not a host address`);
}

/** Requires unique names: WANs and limits refer to them. */
function checkNames(shaped: readonly ShapedInterface[], errors: DocumentErrors): void {
  const seen = new Map<string, number>();
  for (const [index, { name }] of shaped.entries()) {
    if (name === undefined) continue;
    const key = name.toLowerCase();
    const before = seen.get(key);
    if (before === undefined) seen.set(key, index);
    else errors.error(`/interfaces/${index}/name`, `${quote(name)} is the name of /interfaces/${before} already`);
  }
}

function checkVlans(networks: readonly Network[], errors: DocumentErrors): void {
  const seen = new Map<number, string>();
  for (const { index, name, vlan } of networks) {
    if (vlan === 0) continue;
    const before = seen.get(vlan);
    if (before === undefined) seen.set(vlan, name);
    else errors.error(`/interfaces/${index}/vlan/id`, `VLAN ${vlan} is ${quote(before)} already`);
  }
}

function checkSubnets(uplinks: readonly Uplink[], networks: readonly Network[], errors: DocumentErrors): void {
  const all = [
    ...uplinks.flatMap(({ addressing, ...uplink }) =>
      addressing.kind === 'static' ? [{ ...uplink, subnet: addressing.subnet }] : [],
    ),
    ...networks.flatMap(({ subnet, ...network }) => (subnet ? [{ ...network, subnet }] : [])),
  ].toSorted((a, b) => a.index - b.index);
  for (const [position, one] of all.entries())
    for (const other of all.slice(0, position))
      if (overlap(one.subnet, other.subnet))
        errors.error(
          `/interfaces/${one.index}/ipv4/subnet`,
          `${networkText(one.subnet)} overlaps ${networkText(other.subnet)} of ${quote(other.name)}`,
        );
}

/** The kernel would look for the gateway in the LAN. */
function checkGateways(uplinks: readonly Uplink[], networks: readonly Network[], errors: DocumentErrors): void {
  for (const { index, addressing } of uplinks) {
    if (addressing.kind !== 'static') continue;
    const lan = networks.find(({ subnet }) => subnet && holds(subnet, addressing.gateway));
    if (lan) errors.error(`/interfaces/${index}/ipv4/gateway`, `is in the subnet of ${quote(lan.name)}`);
  }
}

function servicesOf({ role }: ShapedInterface): readonly EdgeService[] {
  return role === 'upstream' ? ['ssh'] : edgeServices;
}

function rejectServices(entry: ShapedInterface, path: string, errors: DocumentErrors): void {
  const known: readonly string[] = servicesOf(entry);
  for (const [index, service] of (entry.services ?? []).entries())
    if (!known.includes(service))
      errors.reject(`${path}/services/${index}`, `${quote(service)} is not a service of this gateway`);
}
