import type { KeptLinks, KeptPeer } from '../../telemetry/read/links.ts';

/** Most reliable first: LLDP of the lower end, of the upper end, an association, a MAC table. */
export const linkSources = ['lldp_up', 'lldp_down', 'wireless', 'mac'] as const;
export type LinkSource = (typeof linkSources)[number];

export interface Reporter {
  serial: string;
  macs: readonly string[];
  gateway: boolean;
  kind: 'ap' | 'switch' | 'gateway';
  links: KeptLinks | null;
}

/** Reported parent of a device. */
export interface Claim {
  child: string;
  parent: string;
  source: LinkSource;
  /** Parent's and child's; null: unknown. */
  port: string | null;
  childPort: string | null;
}

export interface Equipment {
  id: string;
  mac: string | null;
  name: string | null;
  description: string | null;
  roles: readonly string[];
  address: string | null;
}

export interface Evidence {
  claims: Claim[];
  equipment: Map<string, Equipment>;
  /** In MAC tables of devices that do not see each other: parent unknown. */
  ambiguous: Set<string>;
}

const inOrder = (a: { serial: string }, b: { serial: string }) => (a.serial < b.serial ? -1 : 1);
const bridging = /bridge|router|repeater/i;

/** Orders claims independently of the reports. */
export function claimsOf(unordered: readonly Reporter[]): Evidence {
  const reporters = unordered.toSorted(inOrder);
  const owners = new Map<string, string>();
  for (const { serial, macs } of reporters) for (const mac of macs) if (!owners.has(mac)) owners.set(mac, serial);
  const equipment = new Map<string, Equipment>();
  const idOf = (peer: KeptPeer): string => {
    const owner = peer.mac === null ? undefined : owners.get(peer.mac);
    if (owner !== undefined) return owner;
    const id = peer.mac === null ? `name:${peer.name}` : `mac:${peer.mac}`;
    const { mac, name, description, roles, address } = peer;
    const known = equipment.get(id);
    // merges two descriptions
    equipment.set(id, {
      id,
      mac,
      name: known?.name ?? name,
      description: known?.description ?? description,
      roles: known?.roles.length ? known.roles : roles,
      address: known?.address ?? address,
    });
    return id;
  };
  const gateways = new Set(reporters.filter(({ gateway }) => gateway).map(({ serial }) => serial));
  const bySerial = new Map(reporters.map((reporter) => [reporter.serial, reporter]));
  const claims: Claim[] = [];
  for (const reporter of reporters) {
    const isUplink = uplinkPorts(reporter, (mac) => gateways.has(owners.get(mac) ?? ''));
    claims.push(...lldpClaims(reporter, isUplink, { idOf, bySerial, gateways }));
  }
  const { found, ambiguous } = tableClaims(reporters, owners, equipment, gateways);
  return { claims: [...claims, ...found], equipment, ambiguous };
}

/** Returns declared uplinks, WAN ports, and ports with the gateway's LLDP or MAC. */
export function uplinkPorts(
  { gateway, links }: Reporter,
  isGateway: (mac: string) => boolean,
): (port: string) => boolean {
  const found = new Set<string>();
  for (const { name, up } of links?.ports ?? []) if (up) found.add(name);
  if (!gateway) {
    for (const [port, macs] of Object.entries(links?.macs ?? {})) if (macs.some(isGateway)) found.add(port);
    for (const { port, mac } of links?.lldp ?? []) if (mac !== null && isGateway(mac)) found.add(port);
  }
  return (port) => found.has(port) || /^wan/i.test(port);
}

interface Known {
  idOf(peer: KeptPeer): string;
  bySerial: ReadonlyMap<string, Reporter>;
  gateways: ReadonlySet<string>;
}

function lldpClaims(
  { serial, links }: Reporter,
  isUplink: (port: string) => boolean,
  { idOf, bySerial, gateways }: Known,
): Claim[] {
  const above: { claim: Claim; rank: number }[] = [];
  const claims: Claim[] = [];
  for (const peer of links?.lldp ?? []) {
    const other = idOf(peer);
    if (other === serial) continue;
    if (!peer.up && !isUplink(peer.port)) {
      claims.push({ child: other, parent: serial, source: 'lldp_down', port: peer.port, childPort: peer.far_port });
      continue;
    }
    const reporter = bySerial.get(other);
    // on the uplink port it is a neighbour, not the parent
    if (reporter?.kind === 'ap' && !reporter.gateway) continue;
    const rank = gateways.has(other) ? 0 : reporter ? 1 : peer.roles.some((role) => bridging.test(role)) ? 2 : 3;
    above.push({
      claim: { child: serial, parent: other, source: 'lldp_up', port: peer.far_port, childPort: peer.port },
      rank,
    });
  }
  // several neighbours: an unmanaged switch is between, all below the gateway
  const key = ({ parent, port, childPort }: Claim) => [parent, port ?? '', childPort ?? ''].join('\t');
  const [best] = above.toSorted((a, b) => a.rank - b.rank || (key(a.claim) < key(b.claim) ? -1 : 1));
  return best ? [best.claim, ...claims] : claims;
}

/** Takes the lowest device with it on a non-uplink port. */
function tableClaims(
  reporters: readonly Reporter[],
  owners: ReadonlyMap<string, string>,
  equipment: ReadonlyMap<string, Equipment>,
  gateways: ReadonlySet<string>,
): { found: Claim[]; ambiguous: Set<string> } {
  const nodes = new Map(owners);
  for (const { id, mac } of equipment.values()) if (mac !== null && !nodes.has(mac)) nodes.set(mac, id);
  const below = new Map<string, Map<string, string>>();
  const seersOf = new Map<string, string[]>();
  for (const reporter of reporters) {
    const isUplink = uplinkPorts(reporter, (mac) => gateways.has(owners.get(mac) ?? ''));
    const seen = new Map<string, string>();
    for (const [port, macs] of Object.entries(reporter.links?.macs ?? {}).toSorted()) {
      if (isUplink(port)) continue;
      for (const mac of macs) {
        const id = nodes.get(mac);
        if (id !== undefined && id !== reporter.serial && !gateways.has(id) && !seen.has(id)) seen.set(id, port);
      }
    }
    below.set(reporter.serial, seen);
    for (const id of seen.keys()) seersOf.set(id, [...(seersOf.get(id) ?? []), reporter.serial]);
  }
  const found: Claim[] = [];
  const ambiguous = new Set<string>();
  for (const [child, seers] of [...seersOf].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const lowest = seers.filter(
      (one) => !seers.some((other) => other !== one && below.get(one)?.has(other) && !below.get(other)?.has(one)),
    );
    if (lowest.length > 1) ambiguous.add(child);
    const [parent] = lowest;
    if (lowest.length !== 1 || parent === undefined) continue;
    found.push({ child, parent, source: 'mac', port: below.get(parent)?.get(child) ?? null, childPort: null });
  }
  return { found, ambiguous };
}
