import { type Claim, claimsOf, type Equipment, linkSources, type Reporter, uplinkPorts } from './claims.ts';

/** Client in the list of a device. */
export interface Sighting {
  mac: string;
  serial: string;
  /** 0: wired. */
  band: number;
  port: string | null;
  /** Milliseconds. */
  since: number;
}

/** No uplink reported, or contradictory ones. */
export type Apart = 'unreported' | 'ambiguous';

export interface TreeNode {
  /** Serial, `mac:` or `name:` of unmanaged equipment, `sta:` of a client. */
  id: string;
  type: 'device' | 'equipment' | 'station';
  /** Null: root or detached. */
  parent: string | null;
  link: Pick<Claim, 'source' | 'port' | 'childPort'> | null;
  apart: Apart | null;
}

/** Nodes in the order of their ids. */
export interface Tree {
  nodes: TreeNode[];
  equipment: ReadonlyMap<string, Equipment>;
}

/** Builds a forest from any reports in any order. Draws reported links only; devices without one are detached. */
export function treeOf(reporters: readonly Reporter[], sightings: readonly Sighting[]): Tree {
  const evidence = claimsOf(reporters);
  const owners = new Map<string, string>();
  for (const { serial, macs } of reporters.toSorted((a, b) => (a.serial < b.serial ? -1 : 1)))
    for (const mac of macs) if (!owners.has(mac)) owners.set(mac, serial);
  for (const { id, mac } of evidence.equipment.values()) if (mac !== null && !owners.has(mac)) owners.set(mac, id);
  const gateways = new Set(reporters.filter(({ gateway }) => gateway).map(({ serial }) => serial));
  const links = linked([...evidence.claims, ...meshClaims(reporters, sightings, owners)], gateways);
  const nodes: TreeNode[] = [
    ...reporters.map(({ serial }): [string, 'device'] => [serial, 'device']),
    ...[...evidence.equipment.keys()].map((id): [string, 'equipment'] => [id, 'equipment']),
  ].map(([id, type]) => {
    const claim = links.get(id);
    return { id, type, parent: claim?.parent ?? null, link: claim ? linkOf(claim) : null, apart: null };
  });
  for (const node of nodes) {
    // gateways and unmanaged equipment need none
    if (node.type !== 'device' || node.parent !== null || gateways.has(node.id)) continue;
    node.apart = evidence.ambiguous.has(node.id) ? 'ambiguous' : 'unreported';
  }
  nodes.push(...stationNodes(reporters, sightings, owners, links, gateways));
  return { nodes: nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)), equipment: evidence.equipment };
}

const linkOf = ({ source, port, childPort }: Claim): TreeNode['link'] => ({ source, port, childPort });

/** Most reliable first, stable. */
const order = (claim: Claim) =>
  [linkSources.indexOf(claim.source), claim.child, claim.parent, claim.port ?? '', claim.childPort ?? ''].join('\t');

/** Accepts by reliability: one parent, no cycles. */
function linked(claims: readonly Claim[], gateways: ReadonlySet<string>): Map<string, Claim> {
  const sorted = claims.map((claim) => ({ claim, key: order(claim) })).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const links = new Map<string, Claim>();
  for (const { claim } of sorted) {
    if (links.has(claim.child) || gateways.has(claim.child)) continue;
    let above: string | undefined = claim.parent;
    while (above !== undefined && above !== claim.child) above = links.get(above)?.parent;
    if (above === undefined) links.set(claim.child, claim);
  }
  return links;
}

/** Makes an associated device a mesh child. */
function meshClaims(
  reporters: readonly Reporter[],
  sightings: readonly Sighting[],
  owners: ReadonlyMap<string, string>,
): Claim[] {
  const here = new Set(reporters.map(({ serial }) => serial));
  return sightings.flatMap(({ mac, serial, band, port }) => {
    const child = owners.get(mac);
    if (band === 0 || child === undefined || child === serial || !here.has(serial)) return [];
    return [{ child, parent: serial, source: 'wireless', port, childPort: null }];
  });
}

function stationNodes(
  reporters: readonly Reporter[],
  sightings: readonly Sighting[],
  owners: ReadonlyMap<string, string>,
  links: ReadonlyMap<string, Claim>,
  gateways: ReadonlySet<string>,
): TreeNode[] {
  const isUplink = new Map(
    reporters.map((reporter) => [reporter.serial, uplinkPorts(reporter, (mac) => gateways.has(owners.get(mac) ?? ''))]),
  );
  const byMac = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    // devices are not drawn as clients
    if (!isUplink.has(sighting.serial) || owners.has(sighting.mac)) continue;
    const reported = byMac.get(sighting.mac);
    if (reported) reported.push(sighting);
    else byMac.set(sighting.mac, [sighting]);
  }
  return [...byMac].map(([mac, reported]) => {
    const id = `sta:${mac}`;
    // the latest association wins
    const [air] = reported.filter(({ band }) => band > 0).toSorted(byTime);
    if (air) return stationNode(id, air.serial, 'wireless', air.port);
    const wired = reported.filter(({ serial, port }) => port === null || !isUplink.get(serial)?.(port));
    const lowest = wired.filter(({ serial }) => !wired.some((other) => isAbove(serial, other.serial, links)));
    const parents = new Set(lowest.map(({ serial }) => serial));
    const [only] = lowest.toSorted((a, b) => ((a.port ?? '') < (b.port ?? '') ? -1 : 1));
    if (only && parents.size === 1) return stationNode(id, only.serial, 'mac', only.port);
    return { id, type: 'station', parent: null, link: null, apart: parents.size > 1 ? 'ambiguous' : 'unreported' };
  });
}

const orderOf = ({ serial, port, band }: Sighting) => [serial, port ?? '', band].join('\t');
const byTime = (a: Sighting, b: Sighting) => b.since - a.since || (orderOf(a) < orderOf(b) ? -1 : 1);

const stationNode = (id: string, parent: string, source: 'wireless' | 'mac', port: string | null): TreeNode => ({
  id,
  type: 'station',
  parent,
  link: { source, port, childPort: null },
  apart: null,
});

function isAbove(one: string, other: string, links: ReadonlyMap<string, Claim>): boolean {
  let above = links.get(other)?.parent;
  while (above !== undefined && above !== one) above = links.get(above)?.parent;
  return above === one;
}
