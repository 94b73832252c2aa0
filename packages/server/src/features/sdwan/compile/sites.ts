import type { SdwanError, SdwanErrorCode } from '@yunxun/contract';
import {
  broadcastOf,
  holds,
  isUnicast,
  networkOf,
  networkText,
  overlap,
  readAddress,
  readSubnet,
  type Subnet,
} from '@yunxun/contract/ipv4';
import type { Elsewhere, Plan, PlanNode } from './plan.ts';

export type Add = (
  code: SdwanErrorCode,
  node?: PlanNode | null,
  field?: string | null,
  params?: SdwanError['params'],
) => void;

interface Site {
  node: PlanNode;
  field: string;
  text: string;
  subnet: Subnet;
}

/** Overlay addresses (RFC 6598). */
export const overlay: Subnet = { address: readAddress('100.64.0.0')!, prefix: 10 };

export function checkSites({ nodes, consoles = [], elsewhere = [] }: Plan, add: Add): void {
  const sites = readSites(nodes, add);
  checkOverlaps(sites, add);
  for (const { node, field, text, subnet } of sites) {
    if (overlap(subnet, overlay)) add('overlay_overlap', node, field, { prefix: text });
    const address = consoles.find((one) => contains(subnet, one));
    if (address !== undefined) add('console_overlap', node, field, { prefix: text, address });
  }
  for (const node of nodes) {
    checkFixed(node, sites, add);
    checkLocal(node, sites, nodes, add);
  }
  for (const one of elsewhere) checkElsewhere(one, sites, nodes, add);
}

/** A gateway has one routing table for all its networks. */
function checkElsewhere(
  { prefix, owner, keys, ...where }: Elsewhere,
  sites: readonly Site[],
  nodes: readonly PlanNode[],
  add: Add,
): void {
  const other = readSubnet(prefix);
  for (const { node, field, text, subnet } of sites) {
    if (other === null || !overlap(subnet, other)) continue;
    const shared = nodes.find(({ key }) => keys.has(key) && key !== owner && key !== node.key);
    if (shared) add('other_network', node, field, { ...where, prefix: text, other_prefix: prefix, name: shared.name });
  }
}

function readSites(nodes: readonly PlanNode[], add: Add): Site[] {
  const sites: Site[] = [];
  for (const node of nodes) {
    if (node.lans.length === 0) add('no_lan', node, 'lans', { name: node.name });
    node.lans.forEach(({ prefix, as }, at) => {
      const real = readLan(prefix, node, `lans.${at}.prefix`, add);
      const mapped = as === undefined ? null : readLan(as, node, `lans.${at}.as`, add);
      if (real && mapped && real.prefix !== mapped.prefix) add('mapped_size', node, `lans.${at}.as`, { prefix });
      const subnet = as === undefined ? real : mapped;
      const field = `lans.${at}.${as === undefined ? 'prefix' : 'as'}`;
      if (subnet) sites.push({ node, field, text: as ?? prefix, subnet });
    });
  }
  return sites;
}

function readLan(text: string, node: PlanNode, field: string, add: Add): Subnet | null {
  const subnet = readSubnet(text);
  if (!subnet || subnet.prefix < 8 || !isUnicast(networkOf(subnet)) || !isUnicast(broadcastOf(subnet))) {
    add('bad_cidr', node, field, { prefix: text });
    return null;
  }
  if (networkOf(subnet) !== subnet.address) {
    add('host_bits', node, field, { prefix: text, suggest: networkText(subnet) });
    return null;
  }
  return subnet;
}

/** Sorts and sweeps: a wide prefix meets all that begin inside it. */
function checkOverlaps(sites: readonly Site[], add: Add): void {
  const sorted = sites.toSorted((a, b) => a.subnet.address - b.subnet.address || a.subnet.prefix - b.subnet.prefix);
  let widest: Site | null = null;
  for (const site of sorted) {
    if (widest && broadcastOf(widest.subnet) >= site.subnet.address) {
      const params = { name: site.node.name, prefix: site.text, other: widest.node.name, other_prefix: widest.text };
      add('overlap', site.node, site.field, { ...params, other_key: widest.node.key });
    }
    if (!widest || broadcastOf(site.subnet) > broadcastOf(widest.subnet)) widest = site;
  }
}

/** Finds ends of tunnels, and servers that tunnels need, behind a tunnel. */
function checkFixed(node: PlanNode, sites: readonly Site[], add: Add): void {
  const { name } = node;
  const inside = (code: SdwanErrorCode, address: string, among = sites) => {
    const site = among.find(({ subnet }) => contains(subnet, address));
    if (site) add(code, site.node, site.field, { prefix: site.text, name, address });
  };
  const wans = new Set(node.wanAddresses);
  for (const address of wans) inside('wan_overlap', address);
  for (const address of new Set([node.host, node.source]))
    if (address && !wans.has(address)) inside('host_overlap', address);
  const others = sites.filter((site) => site.node !== node);
  for (const address of new Set(node.nameServers)) inside('dns_overlap', address, others);
}

/** Compares a site's real LANs with what it reaches through tunnels. */
function checkLocal(node: PlanNode, sites: readonly Site[], nodes: readonly PlanNode[], add: Add): void {
  const { name } = node;
  const isShown = (subnet: Subnet) =>
    sites.some((site) => site.node === node && site.field.endsWith('prefix') && overlap(site.subnet, subnet));
  const mapped = node.lans.filter(({ as }) => as !== undefined).map(({ prefix }) => prefix);
  const all = new Set([...mapped, ...(node.localLans ?? [])]);
  const known = (node.localLans ?? []).map((text) => readSubnet(text));
  for (const text of all) {
    const subnet = readSubnet(text);
    if (subnet === null || isShown(subnet)) continue;
    const site = sites.find((one) => overlap(one.subnet, subnet));
    if (site) add('local_overlap', site.node, site.field, { prefix: site.text, other_prefix: text, name });
    const other = nodes.find((one) => one !== node && one.host !== null && contains(subnet, one.host));
    if (other) add('host_overlap', node, 'lans', { prefix: text, name: other.name, address: other.host! });
  }
  if (node.localLans === undefined) return;
  node.lans.forEach(({ prefix }, at) => {
    const subnet = readSubnet(prefix);
    if (subnet && !known.some((lan) => lan && overlap(lan, subnet)))
      add('lan_gone', node, `lans.${at}.prefix`, { prefix, name });
  });
}

function contains(subnet: Subnet, text: string): boolean {
  const address = readAddress(text);
  return address !== null && holds(subnet, address);
}
