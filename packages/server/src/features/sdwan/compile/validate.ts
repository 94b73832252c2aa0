import { type SdwanError, type SdwanErrorCode, sdwanShapes } from '@yunxun/contract';
import {
  broadcastOf,
  dotted,
  holds,
  isUnicast,
  networkOf,
  networkText,
  overlap,
  readAddress,
  readSubnet,
  type Subnet,
  sizeOf,
} from '@yunxun/contract/ipv4';
import { isRoot, type Plan, type PlanNode } from './plan.ts';

const { sdwanLimits: limits } = sdwanShapes;

/** Overlay addresses (RFC 6598). */
const overlay: Subnet = { address: readAddress('100.64.0.0')!, prefix: 10 };

interface Site {
  node: PlanNode;
  field: string;
  text: string;
  subnet: Subnet;
}

/** Returns all errors by node; empty: it compiles. */
export function validate(plan: Plan): SdwanError[] {
  const errors: SdwanError[] = [];
  const add = (
    code: SdwanErrorCode,
    node: PlanNode | null = null,
    field: string | null = null,
    params: SdwanError['params'] = {},
  ) => errors.push({ code, key: node?.key ?? null, field, params });
  const { nodes } = plan;
  const { min, max } = limits.nodes;
  if (nodes.length < min) add('min_nodes', null, null, { min });
  if (nodes.length > max) add('max_nodes', null, null, { max });
  const seen = { key: new Set<string>(), publicKey: new Set<string>(), address: new Set<string>() };
  for (const node of nodes) {
    if (isRepeated(seen.key, node.key)) add('duplicate_gateway', node, null, { name: node.name });
    if (node.publicKey === null) add('key_missing', node, null, { name: node.name });
    else if (!isPublicKey(node.publicKey)) add('key_malformed', node, null, { name: node.name });
    else if (isRepeated(seen.publicKey, node.publicKey)) add('key_duplicate', node, null, { name: node.name });
    if (isRepeated(seen.address, node.address)) add('address_duplicate', node, null, { address: node.address });
    if (node.host !== null && !isHost(node.host)) add('endpoint_host', node, 'host', { host: node.host });
  }
  if (errors.some(({ code }) => code === 'duplicate_gateway')) return errors;
  checkTopology(plan, add);
  checkSites(nodes, add);
  return errors;
}

type Add = (code: SdwanErrorCode, node?: PlanNode | null, field?: string | null, params?: SdwanError['params']) => void;

function checkTopology(plan: Plan, add: Add): void {
  const { type, nodes } = plan;
  if (type !== 3)
    for (const node of nodes) {
      if (!isRoot(node)) add('pid_not_allowed', node, 'pid');
    }
  if (type === 1) checkMesh(nodes, add);
  else if (type === 2) checkStar(nodes, add);
  else checkTree(nodes, add);
  const levels = levelsOf(plan);
  for (const node of nodes) {
    const level = levels.get(node.key) ?? null;
    if (node.level !== undefined && level !== null && node.level !== level)
      add('level_mismatch', node, 'level', { level });
  }
}

function checkMesh(nodes: readonly PlanNode[], add: Add): void {
  if (nodes.length > limits.meshNodes) add('mesh_max', null, null, { max: limits.meshNodes });
  for (const node of nodes) {
    if (node.role !== '') add('centre_not_allowed', node, 'role');
  }
  const [first, ...rest] = nodes.filter(({ host }) => host === null);
  for (const node of rest) add('both_nat', node, 'host', { name: node.name, other: first!.name });
}

function checkStar(nodes: readonly PlanNode[], add: Add): void {
  const [main, ...mains] = nodes.filter(({ role }) => role === 'main');
  const [bak, ...baks] = nodes.filter(({ role }) => role === 'bak');
  if (!main) add('main_missing');
  for (const node of mains) add('main_many', node, 'role');
  for (const node of baks) add('bak_many', node, 'role');
  for (const node of [main, bak]) {
    if (node?.host === null) add('centre_endpoint', node, 'host', { name: node.name });
  }
}

function checkTree(nodes: readonly PlanNode[], add: Add): void {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const [root, ...roots] = nodes.filter(isRoot);
  if (!root) add('root_missing');
  for (const node of roots) add(node.pid === '' ? 'pid_missing' : 'root_many', node, 'pid', { name: node.name });
  for (const node of nodes) {
    if (node.role === 'bak') add('bak_many', node, 'role');
    if (node.role === 'main' && !isRoot(node)) add('main_many', node, 'role');
    if (isRoot(node)) continue;
    const parent = byKey.get(node.pid);
    if (node.pid === node.key) add('pid_self', node, 'pid');
    else if (!parent) add('pid_unknown', node, 'pid');
    else if (depthOf(node, byKey) === null) add('pid_cycle', node, 'pid');
    else if (parent.host === null) add('parent_endpoint', parent, 'host', { name: parent.name, child: node.name });
    const depth = depthOf(node, byKey);
    if (depth !== null && depth > limits.depth) add('depth_max', node, 'pid', { max: limits.depth });
  }
}

/** Returns 1 for a root; null for a cycle or an unknown parent. */
function depthOf(node: PlanNode, byKey: ReadonlyMap<string, PlanNode>): number | null {
  let depth = 1;
  for (let at = node; !isRoot(at); depth++) {
    const parent = byKey.get(at.pid);
    if (!parent || depth > byKey.size) return null;
    at = parent;
  }
  return depth;
}

/** Returns 1 for centres and peers; null for a wrong `pid`. */
export function levelsOf({ type, nodes }: Pick<Plan, 'type' | 'nodes'>): Map<string, number | null> {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  return new Map(
    nodes.map((node) => [node.key, type === 3 ? depthOf(node, byKey) : type === 2 && node.role === '' ? 2 : 1]),
  );
}

function checkSites(nodes: readonly PlanNode[], add: Add): void {
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
  checkOverlaps(sites, add);
  for (const { node, field, text, subnet } of sites) {
    if (overlap(subnet, overlay)) add('overlay_overlap', node, field, { prefix: text });
  }
  for (const node of nodes)
    for (const wan of node.wanAddresses ?? []) {
      const address = readAddress(wan);
      const site = address === null ? undefined : sites.find(({ subnet }) => holds(subnet, address));
      if (site) add('wan_overlap', site.node, site.field, { prefix: site.text, name: node.name, address: wan });
    }
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

/** Suggests equal-length prefixes for overlaps, from 10.128.0.0/9. */
export function suggestPrefixes(
  nodes: readonly PlanNode[],
  errors: readonly SdwanError[],
): { key: string; prefix: string; as: string }[] {
  const used = nodes.flatMap(({ lans }) =>
    lans.flatMap(({ prefix, as }) => [readSubnet(prefix), readSubnet(as)].filter((subnet) => subnet !== null)),
  );
  return errors.flatMap(({ code, key, field }) => {
    const at = /^lans\.(\d+)\./.exec(field ?? '')?.[1];
    const prefix = nodes.find((node) => node.key === key)?.lans[Number(at)]?.prefix;
    const subnet = readSubnet(prefix);
    if (code !== 'overlap' || key === null || prefix === undefined || !subnet) return [];
    const free = freeLike(subnet.prefix, used);
    if (!free) return [];
    used.push(free);
    return [{ key, prefix, as: networkText(free) }];
  });
}

function freeLike(prefix: number, used: readonly Subnet[]): Subnet | null {
  const last = readAddress('10.255.255.255')!;
  for (let address = readAddress('10.128.0.0')!; address <= last; ) {
    const free = { address, prefix };
    const taken = used.find((subnet) => overlap(subnet, free));
    if (!taken) return free;
    const size = sizeOf(prefix);
    address = Math.max(address + size, Math.ceil((broadcastOf(taken) + 1) / size) * size);
  }
  return null;
}

/** Finds by the address that others see. */
export function ownerOf(nodes: readonly PlanNode[], target: string): PlanNode | undefined {
  const address = readAddress(target);
  return nodes.find(({ lans }) =>
    lans.some(({ prefix, as }) => {
      const subnet = readSubnet(as ?? prefix);
      return subnet !== null && address !== null && holds(subnet, address);
    }),
  );
}

function isRepeated(seen: Set<string>, value: string): boolean {
  const known = seen.has(value);
  seen.add(value);
  return known;
}

function isPublicKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text);
}

const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const hostName = new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*$`);

function isHost(text: string): boolean {
  if (/^[\d.]+$/.test(text)) return readAddress(text) !== null && isUnicast(readAddress(text)!);
  return hostName.test(text) || (/^[\da-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]`));
}

/** Returns the n-th overlay address, from 1 on. */
export function overlayAddress(index: number): string {
  return dotted(overlay.address + index);
}
