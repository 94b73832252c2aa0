import type { DataOf, SdwanNodeStatus, SdwanStatus, sdwan } from '@yunxun/contract';
import type { EdgeSdwan, EdgeSdwanPeerState, EdgeSdwanState } from '@yunxun/contract/device';
import { overlayAddress, type PlannedLink } from './compile/index.ts';
import type { Site } from './facts.ts';
import type { NetworkRow, NodeRow } from './tables.ts';

type Link = DataOf<typeof sdwan.networkDetail>['links'][number];

/** Seconds: WireGuard's REJECT_AFTER_TIME. */
const handshakeSeconds = 180;

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

/** Uses probes, else the handshake's age; null: not reported. */
export function isUp(peer: EdgeSdwanPeerState | undefined, at: Date | null): boolean | null {
  if (!peer || !at) return null;
  if (typeof peer.alive === 'boolean') return peer.alive;
  return typeof peer.handshake === 'number' && at.getTime() / 1000 - peer.handshake < handshakeSeconds;
}

/** Returns running once its revision and all handshakes are reported. */
export function nodeState(row: NodeRow, site: Site | undefined): NodeState {
  const { document } = row;
  const peers = document?.interfaces.flatMap((own) => own.peers.map((peer) => ({ name: own.name, peer }))) ?? [];
  const reported = reportedOf(site, row.network_id);
  const states = peers.map(({ name, peer }) =>
    reported?.peers.find((one) => one.interface === name && one.public_key === peer.public_key),
  );
  const up = states.filter((state) => isUp(state, site?.reportedAt ?? null) === true).length;
  const error = reported?.error ?? null;
  return { status: statusOf(document, { site, reported, states, up }), tunnels: peers.length, up, error };
}

function statusOf(
  document: EdgeSdwan | null,
  {
    site,
    reported,
    states,
    up,
  }: {
    site: Site | undefined;
    reported: Reported | null;
    states: readonly (EdgeSdwanPeerState | undefined)[];
    up: number;
  },
): SdwanNodeStatus {
  if (site?.reason === 'no_gateway') return 'gone';
  if (!document) return 'draft';
  if (reported?.error) return 'failed';
  if (reported?.revision !== document.revision) return 'waiting';
  if (!site?.online) return 'offline';
  if (states.some((state) => typeof state?.handshake !== 'number')) return up > 0 ? 'degraded' : 'waiting';
  if (up === states.length) return 'running';
  return up === 0 ? 'down' : 'degraded';
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
  const ends = [
    [link.from, link.to],
    [link.to, link.from],
  ].map(([own, other]) => {
    const [row, site, peer] = [nodes.get(own!), sites.get(own!), sites.get(other!)];
    const reported = row ? reportedOf(site, row.network_id) : null;
    const state = reported?.peers.find(({ public_key }) => public_key === peer?.state?.public_key);
    return { state, up: isUp(state, site?.reportedAt ?? null) };
  });
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
  const report = ends.map(({ up }) => up).filter((up) => up !== null);
  const first = ends.find(({ state }) => state)?.state;
  const handshake = Math.max(0, ...ends.map(({ state }) => state?.handshake ?? 0));
  return {
    ...link,
    state: report.length === 0 ? null : report.every(Boolean) ? 'up' : 'down',
    latency_ms: first?.latency_ms ?? null,
    loss_pct: first?.loss_pct ?? null,
    handshake_at: handshake > 0 ? new Date(handshake * 1000).toISOString() : null,
    rx_bytes: ends[0]!.state?.rx_bytes ?? null,
    tx_bytes: ends[0]!.state?.tx_bytes ?? null,
    ...{ routes: sumOf('routes'), detours: sumOf('detours') },
  };
}
