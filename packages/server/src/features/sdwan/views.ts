import type { DataOf, SdwanNodeStatus, SdwanStatus, sdwan } from '@yunxun/contract';
import type { EdgeSdwanPeerState, EdgeSdwanState } from '@yunxun/contract/device';
import { overlayAddress, type PlannedLink } from './compile/index.ts';
import type { Site } from './facts.ts';
import type { NetworkRow, NodeRow } from './tables.ts';

type Link = DataOf<typeof sdwan.networkDetail>['links'][number];

/** Seconds: WireGuard's REJECT_AFTER_TIME. */
const handshakeSeconds = 180;
/** Milliseconds after a push in which first handshakes may be missing, and documents unconfirmed. */
const connectsMs = 60_000;
const appliesMs = 300_000;

export interface NodeState {
  status: SdwanNodeStatus;
  tunnels: number;
  up: number;
  error: string | null;
}

type Reported = EdgeSdwanState['networks'][number];

/** By overlay address of the carrying neighbour. */
export type Carried = ReadonlyMap<string, { routes: number; detours: number }>;

export function reportedOf(site: Site | undefined, networkId: string): Reported | null {
  return site?.state?.networks.find(({ id }) => id === networkId) ?? null;
}

/** A probe's answer needs a valid handshake too: the report may be older than the probe. Null: not reported. */
export function isUp(peer: EdgeSdwanPeerState | undefined, at: Date | null): boolean | null {
  if (!peer || !at) return null;
  if (peer.alive === false) return false;
  const fresh = typeof peer.handshake === 'number' && at.getTime() / 1000 - peer.handshake < handshakeSeconds;
  return fresh || (peer.alive === true ? null : false);
}

/** Believes an online end that says down: a gateway that lost its cable last said up. Null: neither knows. */
export function isTunnelUp(networkId: string, one: Site | undefined, other: Site | undefined): boolean | null {
  const reports = [isUpAt(networkId, one, other), isUpAt(networkId, other, one)];
  if (reports.includes(false)) return false;
  return reports.includes(true) ? true : null;
}

function isUpAt(networkId: string, own: Site | undefined, other: Site | undefined): boolean | null {
  const key = other?.state?.public_key;
  if (!own?.online || key === undefined) return null;
  return isUp(peerAt(networkId, own, key), own.reportedAt);
}

function peerAt(networkId: string, site: Site | undefined, publicKey: string | undefined) {
  return reportedOf(site, networkId)?.peers.find(({ public_key }) => public_key === publicKey);
}

export interface Reports {
  network: Pick<NetworkRow, 'id' | 'deployed_at'>;
  sites: ReadonlyMap<string, Site>;
  now: Date;
}

/** Returns running once its revision and all handshakes are reported. */
export function nodeState({ document, gwid }: NodeRow, { network, sites, now }: Reports): NodeState {
  const site = sites.get(gwid);
  const reported = reportedOf(site, network.id);
  const byKey = new Map([...sites.values()].map((one) => [one.state?.public_key, one]));
  const keys = document?.interfaces.flatMap(({ peers }) => peers.map(({ public_key }) => public_key)) ?? [];
  const up = keys.filter((key) => isTunnelUp(network.id, site, byKey.get(key)) === true).length;
  const pushed = network.deployed_at ? now.getTime() - network.deployed_at.getTime() : 0;
  const known = keys.map((key) => peerAt(network.id, site, key)?.handshake ?? null);
  const status = (): SdwanNodeStatus => {
    if (site?.reason === 'no_gateway') return 'gone';
    if (!document) return 'draft';
    if (reported?.error) return 'failed';
    if (reported?.revision !== document.revision) return site?.online && pushed > appliesMs ? 'failed' : 'waiting';
    if (!site?.online) return 'offline';
    if (up === keys.length) return 'running';
    if (known.includes(null) && pushed < connectsMs) return 'waiting';
    return up === 0 ? 'down' : 'degraded';
  };
  return { status: status(), tunnels: keys.length, up, error: reported?.error ?? null };
}

/** Deploys until each node reports its revision; then a node that is down degrades it. */
export function networkStatus(
  network: NetworkRow,
  nodes: readonly SdwanNodeStatus[],
  validUntil: Date | null,
  now: Date,
): SdwanStatus {
  if (!network.deployed_at) return 'draft';
  if (!validUntil || validUntil <= now) return 'expired';
  if (nodes.includes('failed')) return 'failed';
  if (nodes.some((status) => status === 'waiting' || status === 'draft')) return 'deploying';
  return nodes.every((status) => status === 'running') ? 'running' : 'degraded';
}

export function linkView(
  link: PlannedLink,
  nodes: ReadonlyMap<string, NodeRow>,
  sites: ReadonlyMap<string, Site>,
  carried: ReadonlyMap<string, Carried | null> = new Map(),
): Link {
  const states = [
    [link.from, link.to],
    [link.to, link.from],
  ].map(([own, other]) =>
    peerAt(nodes.get(own!)?.network_id ?? '', sites.get(own!), sites.get(other!)?.state?.public_key),
  );
  const networkId = nodes.get(link.from)?.network_id ?? '';
  const up = isTunnelUp(networkId, sites.get(link.from), sites.get(link.to));
  const used = [
    [link.from, link.to],
    [link.to, link.from],
  ].flatMap(([own, other]) => {
    const [paths, peer] = [carried.get(own!), nodes.get(other!)];
    if (!paths || !peer) return [];
    return [paths.get(overlayAddress(peer.address)) ?? { routes: 0, detours: 0 }];
  });
  const sumOf = (name: 'routes' | 'detours') =>
    used.length === 0 ? null : used.reduce((sum, each) => sum + each[name], 0);
  const first = states.find((state) => state !== undefined);
  const handshake = Math.max(0, ...states.map((state) => state?.handshake ?? 0));
  return {
    ...link,
    state: up === null ? null : up ? 'up' : 'down',
    latency_ms: first?.latency_ms ?? null,
    loss_pct: first?.loss_pct ?? null,
    handshake_at: handshake > 0 ? new Date(handshake * 1000).toISOString() : null,
    rx_bytes: states[0]?.rx_bytes ?? null,
    tx_bytes: states[0]?.tx_bytes ?? null,
    routes: sumOf('routes'),
    detours: sumOf('detours'),
  };
}
