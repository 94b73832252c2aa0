import type { EdgeSdwanInterface, EdgeSdwanRoute } from '@yunxun/contract/device';
import { draftOf, interfaceName, interfaceOf, pairsAmong, pairsBetween, peerOf } from './document.ts';
import { type Draft, type Plan, type PlanNode, prefixesOf } from './plan.ts';
import { aggregate, without } from './prefixes.ts';

/** Gives a branch one interface per centre, both up; a centre one for branches, one for the other centre. */
export function starDrafts(plan: Plan): Map<string, Draft> {
  const main = plan.nodes.find(({ role }) => role === 'main')!;
  const bak = plan.nodes.find(({ role }) => role === 'bak');
  const branches = plan.nodes.filter(({ role }) => role === '');
  const branchSet = aggregate(branches.flatMap(prefixesOf));
  const all = pairsAmong(aggregate(plan.nodes.flatMap(prefixesOf)));

  function centre(node: PlanNode, other: PlanNode | undefined): Draft {
    const [down, hubs] = [interfaceName(node, 'd'), interfaceName(node, 'h')];
    const socket = node === main ? 'd' : 'b';
    const peers = branches.map((branch) =>
      peerOf(node, branch, { socket, allowed: prefixesOf(branch), limited: true }),
    );
    const around = other ? [{ interface: hubs, probe: other.address }] : [];
    const routes = branches.flatMap((branch): EdgeSdwanRoute[] => {
      const candidates = [{ interface: down, probe: branch.address }, ...around];
      return prefixesOf(branch).map((prefix) => ({ prefix, candidates }));
    });
    const behind = other ? [...prefixesOf(other), ...branchSet.texts] : [];
    return draftOf(plan, node, {
      interfaces: [
        interfaceOf(node, 'd', peers),
        ...(other ? [interfaceOf(node, 'h', [peerOf(node, other, { socket: 'h', allowed: behind })])] : []),
      ],
      routes: [...routes, ...(other ? prefixesOf(other).map((prefix) => ({ prefix, candidates: around })) : [])],
      forward: plan.mode === 'transit' ? all : other ? pairsBetween(aggregate(prefixesOf(other)), branchSet) : [],
    });
  }

  const [mainPrefixes, bakPrefixes] = [prefixesOf(main), bak ? prefixesOf(bak) : []];
  const byMain = plan.mode === 'transit' ? aggregate([...branches.flatMap(prefixesOf), ...mainPrefixes]) : null;

  function branch(node: PlanNode): Draft {
    const viaMain = byMain ? without(byMain, prefixesOf(node)) : mainPrefixes;
    const allowed = [...viaMain, ...bakPrefixes];
    const uplinks: EdgeSdwanInterface[] = [
      interfaceOf(node, 'd', [peerOf(node, main, { socket: 'd', allowed })]),
      ...(bak ? [interfaceOf(node, 'b', [peerOf(node, bak, { socket: 'd', allowed })])] : []),
    ];
    const first = { interface: interfaceName(node, 'd'), probe: main.address };
    const second = bak ? [{ interface: interfaceName(node, 'b'), probe: bak.address }] : [];
    const [preferMain, preferBak] = [
      [first, ...second],
      [...second, first],
    ];
    return draftOf(plan, node, {
      interfaces: uplinks,
      routes: [
        ...viaMain.map((prefix) => ({ prefix, candidates: preferMain })),
        ...bakPrefixes.map((prefix) => ({ prefix, candidates: preferBak })),
      ],
      forward: [],
    });
  }

  return new Map(
    plan.nodes.map((node) => {
      if (node === main) return [node.key, centre(node, bak)];
      return [node.key, node === bak ? centre(node, main) : branch(node)];
    }),
  );
}
