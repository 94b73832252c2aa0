import { createHash } from 'node:crypto';
import {
  type EdgeSdwan,
  type EdgeSdwanInterface,
  type EdgeSdwanPair,
  type EdgeSdwanPeer,
  type EdgeSdwanRoute,
  edgeSdwanLimits,
} from '@yunxun/contract/device';
import type { Draft, Plan, PlanNode } from './plan.ts';
import { cover, type PrefixSet } from './prefixes.ts';

/**
 * `d`: direct neighbours in each topology, so that shared tunnels survive a change. Star, because a prefix belongs to one
 * peer of an interface: `b` to the backup centre, `h` between centres.
 */
export type Socket = 'd' | 'b' | 'h';

/** One per name: WireGuard refuses a taken port. */
const offsets: Record<Socket, number> = { b: 1, d: 2, h: 3 };
const firstPort = 51_820;
/** Seconds; keeps NAT mappings (WireGuard's documentation). */
const keepaliveSeconds = 25;
/** Bytes: IPv6, UDP, WireGuard. */
const overhead = 80;

export const interfaceName = (node: PlanNode, socket: Socket): string => `sd${node.slot}${socket}`;
export const portOf = (node: PlanNode, socket: Socket): number => firstPort + node.slot * 4 + offsets[socket];

export function interfaceOf(node: PlanNode, socket: Socket, peers: readonly EdgeSdwanPeer[]): EdgeSdwanInterface {
  const { min, max } = edgeSdwanLimits.mtu;
  const mtu = Math.max(min, Math.min(max, (node.wanMtu ?? 1500) - overhead));
  return { name: interfaceName(node, socket), listen_port: portOf(node, socket), mtu, peers };
}

/** Describes `peer` at its interface `socket`, for `node`. */
export function peerOf(
  node: PlanNode,
  peer: PlanNode,
  { socket, allowed, limited = false }: { socket: Socket; allowed: readonly string[]; limited?: boolean },
): EdgeSdwanPeer {
  return {
    public_key: peer.publicKey ?? '',
    address: peer.address,
    allowed: [`${peer.address}/32`, ...allowed],
    ...(peer.host !== null && { endpoint: { host: peer.host, port: portOf(peer, socket) } }),
    ...(node.host === null && { keepalive_s: keepaliveSeconds }),
    ...(limited && peer.mbps > 0 && { up_kbps: peer.mbps * 1000 }),
  };
}

export function draftOf(
  plan: Plan,
  node: PlanNode,
  parts: {
    interfaces: readonly EdgeSdwanInterface[];
    routes: readonly EdgeSdwanRoute[];
    forward: readonly EdgeSdwanPair[];
  },
): Draft {
  return {
    id: plan.id,
    address: node.address,
    ...parts,
    lans: node.lans.map(({ prefix, as }) => (as === undefined ? { prefix } : { prefix, as })),
    ...(node.mbps > 0 && { up_kbps: node.mbps * 1000 }),
    failover: plan.failover,
  };
}

export function withRevision({ id, ...rest }: Draft): EdgeSdwan {
  const revision = createHash('sha256').update(JSON.stringify(rest)).digest('hex').slice(0, 32);
  return { id, revision, ...rest };
}

/** Returns both directions. Too long lists become wider prefixes; AllowedIPs still admit the plan's only. */
export function pairsBetween(one: PrefixSet, other: PrefixSet): EdgeSdwanPair[] {
  const max = Math.floor(Math.sqrt(edgeSdwanLimits.pairs / 2));
  const [from, to] = [cover(one, max), cover(other, max)];
  const there = from.flatMap((a) => to.map((b) => ({ from: a, to: b })));
  return [...there, ...there.map((pair) => ({ from: pair.to, to: pair.from }))];
}

export function pairsAmong(set: PrefixSet): EdgeSdwanPair[] {
  const all = cover(set, Math.floor(Math.sqrt(edgeSdwanLimits.pairs)));
  return all.flatMap((from) => all.map((to) => ({ from, to })));
}
