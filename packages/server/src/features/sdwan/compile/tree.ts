import { draftOf, interfaceName, interfaceOf, pairsAmong, pairsBetween, peerOf } from './document.ts';
import { childrenOf, type Draft, isRoot, type Plan, type PlanNode, prefixesOf } from './plan.ts';
import { aggregate, without } from './prefixes.ts';

/** Lets nodes dial their parent, which admits the child's subtree. */
export function treeDrafts(plan: Plan): Map<string, Draft> {
  const byKey = new Map(plan.nodes.map((node) => [node.key, node]));
  const children = childrenOf(plan.nodes);
  const below = new Map<string, string[]>();
  const subtree = (node: PlanNode): string[] => {
    const own = [...prefixesOf(node), ...(children.get(node.key) ?? []).flatMap(subtree)];
    below.set(node.key, own);
    return own;
  };
  plan.nodes.filter(isRoot).forEach(subtree);
  const all = aggregate(plan.nodes.flatMap(prefixesOf));
  const everything = plan.mode === 'transit' ? pairsAmong(all) : [];

  const above = (node: PlanNode): string[] => {
    if (isRoot(node)) return [];
    const parent = byKey.get(node.pid)!;
    return [...prefixesOf(parent), ...(plan.mode === 'breakpoint' ? [] : above(parent))];
  };
  const seenUp = (node: PlanNode): string[] => {
    if (isRoot(node)) return [];
    return plan.mode === 'transit' ? without(all, below.get(node.key)!) : above(node);
  };
  const seenDown = (child: PlanNode): string[] =>
    plan.mode === 'breakpoint' ? prefixesOf(child) : below.get(child.key)!;

  function forwardOf(node: PlanNode, own: readonly PlanNode[]) {
    if (own.length === 0 || plan.mode === 'breakpoint') return [];
    if (plan.mode === 'transit') return everything;
    const ancestors = above(node);
    return ancestors.length === 0 ? [] : pairsBetween(aggregate(ancestors), aggregate(own.flatMap(seenDown)));
  }

  function draft(node: PlanNode): Draft {
    const own = children.get(node.key) ?? [];
    const parent = isRoot(node) ? null : byKey.get(node.pid)!;
    const name = interfaceName(node, 'd');
    const upward = seenUp(node);
    const toParent = parent ? [{ interface: name, probe: parent.address }] : [];
    const peers = [
      ...(parent ? [peerOf(node, parent, { socket: 'd', allowed: upward })] : []),
      ...own.map((child) => peerOf(node, child, { socket: 'd', allowed: seenDown(child), limited: true })),
    ];
    return draftOf(plan, node, {
      interfaces: [interfaceOf(node, 'd', peers)],
      routes: [
        ...upward.map((prefix) => ({ prefix, candidates: toParent })),
        ...own.flatMap((child) => {
          const candidates = [{ interface: name, probe: child.address }];
          return seenDown(child).map((prefix) => ({ prefix, candidates }));
        }),
      ],
      forward: forwardOf(node, own),
    });
  }

  return new Map(plan.nodes.map((node) => [node.key, draft(node)]));
}
