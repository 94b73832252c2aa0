import { peerDrafts } from './peer.ts';
import type { Draft, LinkKind, Plan, PlanNode, PlannedLink } from './plan.ts';
import { childrenOf, isRoot } from './plan.ts';
import { starDrafts } from './star.ts';
import { treeDrafts } from './tree.ts';

export { withRevision } from './document.ts';
export type { Draft, Elsewhere, Plan, PlanNode, PlannedLink } from './plan.ts';
export { isRoot, prefixesOf } from './plan.ts';
export { suggestPrefixes } from './suggest.ts';
export { levelsOf, overlayAddress, ownerOf, validate } from './validate.ts';

export interface CompiledPlan {
  /** By key, in the order of keys. */
  drafts: Map<string, Draft>;
  keys: string[];
  /** Character j of row i is `1`: node i reaches the LANs of node j. */
  matrix: string[];
  links: PlannedLink[];
  routes: { prefix: string; mappedFrom: string | null; key: string }[];
}

/** Compiles a valid plan in any order of nodes. */
export function compile(given: Plan): CompiledPlan {
  const nodes = given.nodes.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const plan = { ...given, nodes };
  const drafts = { 1: peerDrafts, 2: starDrafts, 3: treeDrafts }[plan.type](plan);
  return {
    drafts,
    keys: nodes.map(({ key }) => key),
    matrix: reachability(plan),
    links: linksOf(plan),
    routes: nodes.flatMap(({ key, lans }) =>
      lans.map(({ prefix, as }) => ({ prefix: as ?? prefix, mappedFrom: as === undefined ? null : prefix, key })),
    ),
  };
}

/** Defines the modes: vertical with ancestors, breakpoint with neighbours, transit with all. */
export function reachability({ type, mode, nodes }: Plan): string[] {
  const all = '1'.repeat(nodes.length);
  if (type === 1 || mode === 'transit') return nodes.map(() => all);
  if (type === 2) {
    const centres = nodes.map(({ role }) => role !== '');
    return nodes.map(({ role }, own) =>
      role === '' ? centres.map((centre, at) => (centre || at === own ? '1' : '0')).join('') : all,
    );
  }
  const index = new Map(nodes.map(({ key }, at) => [key, at]));
  const rows = nodes.map((_, at) => Buffer.alloc(nodes.length, '0').fill('1', at, at + 1));
  nodes.forEach((node, at) => {
    for (const above of ancestorsOf(node, nodes, index, mode === 'breakpoint' ? 1 : nodes.length)) {
      rows[at]!.write('1', above);
      rows[above]!.write('1', at);
    }
  });
  return rows.map((row) => row.toString('latin1'));
}

function ancestorsOf(node: PlanNode, nodes: readonly PlanNode[], index: ReadonlyMap<string, number>, max: number) {
  const above: number[] = [];
  for (let at = node; !isRoot(at) && above.length < max; ) {
    const parent = index.get(at.pid)!;
    above.push(parent);
    at = nodes[parent]!;
  }
  return above;
}

function linksOf({ type, nodes }: Plan): PlannedLink[] {
  if (type === 1) return nodes.flatMap((one, at) => nodes.slice(at + 1).map((other) => link(one, other, 'peer')));
  if (type === 3)
    return [...childrenOf(nodes)].flatMap(([parent, own]) =>
      own.map((child) => ({ from: child.key, to: parent, kind: 'parent' as const })),
    );
  const [main, bak] = (['main', 'bak'] as const).map((role) => nodes.find((node) => node.role === role));
  const branches = nodes.filter(({ role }) => role === '');
  return [
    ...(main && bak ? [link(bak, main, 'hubs')] : []),
    ...branches.flatMap((branch) => [
      ...(main ? [link(branch, main, 'main')] : []),
      ...(bak ? [link(branch, bak, 'bak')] : []),
    ]),
  ];
}

/** Lets the side behind NAT dial. */
function link(one: PlanNode, other: PlanNode, kind: LinkKind): PlannedLink {
  const [from, to] = other.host === null && one.host !== null ? [other, one] : [one, other];
  return { from: from.key, to: to.key, kind };
}

/** Includes both ends; null: unreachable. */
export function pathOf(plan: Plan, from: string, to: string): string[] | null {
  const sorted = { ...plan, nodes: plan.nodes.toSorted((a, b) => (a.key < b.key ? -1 : 1)) };
  const at = (key: string) => sorted.nodes.findIndex((node) => node.key === key);
  if (at(from) < 0 || at(to) < 0 || reachability(sorted)[at(from)]![at(to)] !== '1') return null;
  if (from === to) return [from];
  if (plan.type === 1) return [from, to];
  if (plan.type === 2) {
    const roleOf = (key: string) => sorted.nodes[at(key)]!.role;
    const main = sorted.nodes.find(({ role }) => role === 'main')!.key;
    return roleOf(from) !== '' || roleOf(to) !== '' ? [from, to] : [from, main, to];
  }
  const lineOf = (key: string): string[] => {
    const node = sorted.nodes[at(key)]!;
    return isRoot(node) ? [key] : [key, ...lineOf(node.pid)];
  };
  const [up, down] = [lineOf(from), lineOf(to)];
  const meet = up.find((key) => down.includes(key))!;
  return [...up.slice(0, up.indexOf(meet) + 1), ...down.slice(0, down.indexOf(meet)).toReversed()];
}
