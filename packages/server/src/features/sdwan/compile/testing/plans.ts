import { holds, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import fc from 'fast-check';
import { type CompiledPlan, type Draft, overlayAddress, type Plan, type PlanNode } from '../index.ts';

export const failover = { probe_ms: 500, fails: 3, recovers: 6, hold_s: 30, order: 'preferred' } as const;

const keyOf = (at: number) => `n${String(at).padStart(4, '0')}`;
const publicKeyOf = (at: number) => Buffer.alloc(32, at.toString(16).padStart(4, '0')).toString('base64');

export function nodeAt(at: number, own: Partial<PlanNode> = {}): PlanNode {
  return {
    key: keyOf(at),
    name: `Site ${at}`,
    role: '',
    pid: '',
    host: '198.51.100.9',
    slot: 0,
    mbps: 10,
    publicKey: publicKeyOf(at),
    address: overlayAddress(at + 1),
    lans: [{ prefix: `10.${20 + (at >> 8)}.${at & 255}.0/24` }],
    ...own,
  };
}

export const planOf = (type: Plan['type'], nodes: readonly PlanNode[], own: Partial<Plan> = {}): Plan => ({
  id: 'plan',
  type,
  mode: 'transit',
  failover,
  nodes,
  ...own,
});

export const starOf = (count: number, own: Partial<Plan> = {}): Plan =>
  planOf(
    2,
    Array.from({ length: count }, (_, at) => nodeAt(at, { role: at === 0 ? 'main' : at === 1 ? 'bak' : '' })),
    own,
  );

export const treeOf = (count: number, width: number, own: Partial<Plan> = {}): Plan =>
  planOf(
    3,
    Array.from({ length: count }, (_, at) => nodeAt(at, { pid: at === 0 ? '1' : keyOf(Math.floor((at - 1) / width)) })),
    own,
  );

export const meshOf = (count: number): Plan =>
  planOf(
    1,
    Array.from({ length: count }, (_, at) => nodeAt(at)),
  );

/** All topologies and modes, mapped LANs, several LANs and gaps. */
export const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    type: fc.constantFrom(1, 2, 3),
    mode: fc.constantFrom('vertical', 'breakpoint', 'transit'),
    bak: fc.boolean(),
    sites: fc.array(
      fc.record({
        lans: fc.integer({ min: 1, max: 3 }),
        gap: fc.integer({ min: 0, max: 2 }),
        mapped: fc.boolean(),
        nat: fc.boolean(),
        parent: fc.nat(),
        slot: fc.integer({ min: 0, max: 3 }),
        mbps: fc.integer({ min: 0, max: 50 }),
      }),
      { minLength: 3, maxLength: 12 },
    ),
  })
  .map(({ type, mode, bak, sites }) => {
    let next = 0;
    const depths: number[] = [];
    const nodes = sites.map(({ lans, gap, mapped, nat, parent, slot, mbps }, at) => {
      next += gap;
      const prefixes = Array.from({ length: lans }, () => `10.40.${next++}.0/24`);
      const shallow = depths.flatMap((depth, of) => (depth < 5 ? [of] : []));
      const above = shallow.length > 0 ? shallow[parent % shallow.length]! : null;
      depths.push(above === null ? 1 : depths[above]! + 1);
      const behind = nat && (type === 1 ? at === 0 : type === 2 && at > 1);
      return nodeAt(at, {
        slot,
        mbps,
        host: behind ? null : '198.51.100.9',
        lans: mapped
          ? prefixes.map((as) => ({ prefix: '192.168.1.0/24', as }))
          : prefixes.map((prefix) => ({ prefix })),
        role: type !== 2 ? '' : at === 0 ? 'main' : at === 1 && bak ? 'bak' : '',
        pid: type !== 3 ? '' : above === null ? '1' : keyOf(above),
      });
    });
    return planOf(type as Plan['type'], nodes, { mode: mode as Plan['mode'] });
  });

const inside = (prefix: string, address: number) => holds(readSubnet(prefix)!, address);
const longest = <T>(list: readonly T[], prefixOf: (one: T) => string, address: number): T | undefined =>
  list
    .filter((one) => inside(prefixOf(one), address))
    .toSorted((a, b) => readSubnet(prefixOf(b))!.prefix - readSubnet(prefixOf(a))!.prefix)[0];
const firstOf = (node: PlanNode) => readAddress((node.lans[0]!.as ?? node.lans[0]!.prefix).split('/')[0])! + 9;

/** Routes a packet by routes, AllowedIPs and forward pairs. Returns its keys; null: dropped. */
export function walk(plan: Plan, { drafts }: CompiledPlan, from: PlanNode, to: PlanNode, choose = 0): string[] | null {
  const [source, target] = [firstOf(from), firstOf(to)];
  const byKey = new Map(plan.nodes.map((node) => [node.publicKey, node]));
  const path = [from.key];
  for (let at = from, came: string | null = null; path.length < 12; ) {
    const own: Draft = drafts.get(at.key)!;
    if (own.lans.some(({ prefix, as }) => inside(as ?? prefix, target))) return path;
    if (came !== null && !own.forward.some((pair) => inside(pair.from, source) && inside(pair.to, target))) return null;
    const route = longest(own.routes, ({ prefix }) => prefix, target);
    const out = route?.candidates[Math.min(choose, route.candidates.length - 1)]?.interface;
    const peers = own.interfaces.find(({ name }) => name === out)?.peers ?? [];
    const entries = peers.flatMap((peer) => peer.allowed.map((prefix) => ({ prefix, peer })));
    const peer = longest(entries, ({ prefix }) => prefix, target)?.peer;
    const next = byKey.get(peer?.public_key ?? '');
    if (!next) return null;
    const link = drafts
      .get(next.key)!
      .interfaces.filter(({ listen_port }) => !peer?.endpoint || listen_port === peer.endpoint.port)
      .find(({ peers: back }) => back.some(({ public_key }) => public_key === at.publicKey));
    const back = link?.peers.find(({ public_key }) => public_key === at.publicKey);
    if (!back?.allowed.some((prefix) => inside(prefix, source))) return null;
    path.push(next.key);
    came = at.key;
    at = next;
    // only the first hop chooses
    choose = 0;
  }
  return null;
}
