import { draftOf, interfaceName, interfaceOf, peerOf } from './document.ts';
import { type Draft, type Plan, prefixesOf } from './plan.ts';

/** Connects all with all; no node forwards. */
export function peerDrafts(plan: Plan): Map<string, Draft> {
  const prefixes = plan.nodes.map(prefixesOf);
  return new Map(
    plan.nodes.map((node, own) => {
      const name = interfaceName(node, 'd');
      const peers = plan.nodes.flatMap((peer, at) =>
        at === own ? [] : peerOf(node, peer, { socket: 'd', allowed: prefixes[at]! }),
      );
      const routes = plan.nodes.flatMap((peer, at) => {
        if (at === own) return [];
        const candidates = [{ interface: name, probe: peer.address }];
        return prefixes[at]!.map((prefix) => ({ prefix, candidates }));
      });
      return [node.key, draftOf(plan, node, { interfaces: [interfaceOf(node, 'd', peers)], routes, forward: [] })];
    }),
  );
}
