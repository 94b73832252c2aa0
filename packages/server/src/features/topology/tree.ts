import { type Claim, claimsOf, type Equipment, linkSources, type Reporter, uplinkPorts } from './claims.ts';

/** A terminal at one of the devices that list it. */
export interface Sighting {
  mac: string;
  serial: string;
  /** 0 on a cable. */
  band: number;
  port: string | null;
  /** When it came, milliseconds. */
  since: number;
}

/** Why something hangs on nothing: nobody reported its uplink, or several did and contradict each other. */
export type Apart = 'unreported' | 'ambiguous';

/** Something in the tree. */
export interface TreeNode {
  /** A device's serial, `mac:` or `name:` of what only LLDP knows, a terminal's MAC after `sta:`. */
  id: string;
  type: 'device' | 'equipment' | 'station';
  /** What it hangs on; null of a root and of what stands apart. */
  parent: string | null;
  link: Pick<Claim, 'source' | 'port' | 'childPort'> | null;
  apart: Apart | null;
}

/** A forest, its nodes in the order of their ids. */
export interface Tree {
  nodes: TreeNode[];
  equipment: ReadonlyMap<string, Equipment>;
}

/**
 * Who hangs on whom, from what devices reported. Any set of reports gives a forest, and the same one in whatever order they
 * come. Nothing is drawn that nobody said: what has no uplink in any report stands apart.
 */
export function treeOf(reporters: readonly Reporter[], sightings: readonly Sighting[]): Tree {
  const told = claimsOf(reporters);
  const owners = new Map<string, string>();
  for (const { serial, macs } of reporters.toSorted((a, b) => (a.serial < b.serial ? -1 : 1)))
    for (const mac of macs) if (!owners.has(mac)) owners.set(mac, serial);
  for (const { id, mac } of told.equipment.values()) if (mac !== null && !owners.has(mac)) owners.set(mac, id);
  const gateways = new Set(reporters.filter(({ gateway }) => gateway).map(({ serial }) => serial));
  const links = linked([...told.claims, ...meshClaims(reporters, sightings, owners)], gateways);
  const nodes: TreeNode[] = [
    ...reporters.map(({ serial }): [string, 'device'] => [serial, 'device']),
    ...[...told.equipment.keys()].map((id): [string, 'equipment'] => [id, 'equipment']),
  ].map(([id, type]) => {
    const claim = links.get(id);
    return { id, type, parent: claim?.parent ?? null, link: claim ? linkOf(claim) : null, apart: null };
  });
  for (const node of nodes) {
    // the way out needs no uplink here, and of what is not managed nobody expects to know one
    if (node.type !== 'device' || node.parent !== null || gateways.has(node.id)) continue;
    node.apart = told.ambiguous.has(node.id) ? 'ambiguous' : 'unreported';
  }
  nodes.push(...stationNodes(reporters, sightings, owners, links, gateways));
  return { nodes: nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)), equipment: told.equipment };
}

const linkOf = ({ source, port, childPort }: Claim): TreeNode['link'] => ({ source, port, childPort });

/** The surest claims first, and always in one order. */
const order = (claim: Claim) =>
  [linkSources.indexOf(claim.source), claim.child, claim.parent, claim.port ?? '', claim.childPort ?? ''].join('\t');

/** Takes claims, the surest first: one parent for each, and none that would close a ring. */
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

/** A box that is a station of another's radio hangs on it by air. */
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
    // boxes are drawn as boxes
    if (!isUplink.has(sighting.serial) || owners.has(sighting.mac)) continue;
    const told = byMac.get(sighting.mac);
    if (told) told.push(sighting);
    else byMac.set(sighting.mac, [sighting]);
  }
  return [...byMac].map(([mac, told]) => {
    const id = `sta:${mac}`;
    // the latest association has the word
    const [air] = told.filter(({ band }) => band > 0).toSorted(byTime);
    if (air) return stationNode(id, air.serial, 'wireless', air.port);
    const wired = told.filter(({ serial, port }) => port === null || !isUplink.get(serial)?.(port));
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
  ...{ id, type: 'station', parent, link: { source, port, childPort: null }, apart: null },
});

/** Whether one is somewhere above another. */
function isAbove(one: string, other: string, links: ReadonlyMap<string, Claim>): boolean {
  let above = links.get(other)?.parent;
  while (above !== undefined && above !== one) above = links.get(above)?.parent;
  return above === one;
}
