import { type SdwanError, type SdwanErrorCode, sdwanShapes } from '@yunxun/contract';
import { dotted, holds, isUnicast, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import { isRoot, type Plan, type PlanNode } from './plan.ts';
import { type Add, checkSites, overlay } from './sites.ts';

const { sdwanLimits: limits } = sdwanShapes;

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
  checkSites(plan, add);
  return errors;
}

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

/** `index`: from 1 on. */
export function overlayAddress(index: number): string {
  return dotted(overlay.address + index);
}
