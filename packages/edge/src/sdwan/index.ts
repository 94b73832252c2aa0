import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { EdgeSdwanState } from '@yunxun/contract/device';
import type { GatewayHost } from '../apply/gateway-host.ts';
import { endpointText } from '../apply/tunnels.ts';
import type { Cancel, Clock } from '../clock.ts';
import { type Run, runTool } from '../measure/tools.ts';
import { readPing, WanHealth } from '../measure/wan-health.ts';
import type { PlanNetwork } from '../render/plan.ts';
import { choosePath } from './choose.ts';
import { type DumpedPeer, readDump } from './dump.ts';

export { ownPublicKey } from './key.ts';

export interface SdwanOptions {
  host: Pick<GatewayHost, 'plan' | 'pending' | 'path' | 'paths'>;
  clock: Clock;
  publicKey: string;
  run?: Run;
  resolve?(host: string): Promise<string | null>;
  moved(change: { network: string; from: string; to: string; prefixes: readonly string[] }): void;
  changed(): void;
}

export interface Sdwan {
  /** Keeps the health of remaining peers. */
  settled(): void;
  online(): void;
  stop(): void;
  state(): EdgeSdwanState;
}

interface Peer {
  network: PlanNetwork;
  peer: PlanNetwork['peers'][number];
  health: WanHealth;
  cancel: Cancel;
}

const timeoutS = 1;
/** Milliseconds between probes of a host: each is a process. */
const probeCost = 10;
/** Milliseconds between readings, and look-ups of silent peers. */
const readEvery = 5_000;
/** Milliseconds between reports, more per peer, and until the first. */
const reportEvery = 5_000;
const reportCost = 20;
const reportAfter = 500;

/** Probes peers and moves prefixes between paths, without the console. */
export function createSdwan(options: SdwanOptions): Sdwan {
  const { host: gatewayHost, clock, run = runTool, resolve = firstAddress } = options;
  let peers = new Map<string, Peer>();
  let dumped: readonly DumpedPeer[] | null = null;
  let stopped = false;
  let cancelRead: Cancel | null = null;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let cancelReport: Cancel | null = null;

  const nameOf = (device: string, address: string) => `${device} ${address}`;

  async function probe(one: Peer): Promise<void> {
    const began = clock.now();
    const { network, peer, health } = one;
    const words = ['-n', '-c', '1', '-W', `${timeoutS}`, '-I', network.address, peer.address];
    const answer = readPing(await run('ping', words));
    if (stopped || peers.get(nameOf(peer.device, peer.address)) !== one) return;
    if (health.probed(answer, clock.now())) reportSoon();
    choose(one.network);
    const period = Math.max(one.network.failover.probeMs, peers.size * probeCost);
    one.cancel = clock.after(Math.max(50, period - (clock.now() - began)), () => void probe(one));
  }

  /** Ignores results while a change may be rolled back. */
  function choose(network: PlanNetwork): void {
    if (gatewayHost.pending !== null) return;
    const moves: Record<string, string> = {};
    const groups = new Map<string, { from: string; to: string; prefixes: string[] }>();
    for (const paths of network.routes) {
      const known = gatewayHost.paths[paths.to];
      const current = paths.candidates.find(({ device }) => device === known)?.device ?? paths.candidates[0]!.device;
      const stateOf = ({ device, probe: address }: (typeof paths.candidates)[number]) =>
        peers.get(nameOf(device, address))?.health.state ?? null;
      const to = choosePath(paths, current, stateOf, network.failover, clock.now());
      if (to === current) continue;
      moves[paths.to] = to;
      const group = groups.get(nameOf(current, to)) ?? { from: current, to, prefixes: [] };
      group.prefixes.push(paths.to);
      groups.set(nameOf(current, to), group);
    }
    if (groups.size === 0) return;
    void gatewayHost.path(moves);
    for (const group of groups.values()) options.moved({ network: network.id, ...group });
  }

  function reportSoon(): void {
    if (cancelReport !== null || stopped) return;
    const delay = Math.max(reportAfter, reportedAt + reportEvery + peers.size * reportCost - clock.now());
    cancelReport = clock.after(delay, () => {
      cancelReport = null;
      reportedAt = clock.now();
      void readPeers().then(() => {
        if (!stopped) options.changed();
      });
    });
  }

  async function readPeers(): Promise<void> {
    const before = new Set(dumped?.flatMap(({ handshake, publicKey }) => (handshake === null ? [] : publicKey)));
    dumped = readDump((await run('wg', ['show', 'all', 'dump'])) ?? '');
    if (dumped.some(({ handshake, publicKey }) => handshake !== null && !before.has(publicKey))) reportSoon();
  }

  async function read(): Promise<void> {
    await readPeers();
    for (const { peer, health } of peers.values()) {
      if (peer.endpoint === null || isIP(peer.endpoint.host) !== 0 || health.state.alive === true) continue;
      const host = await resolve(peer.endpoint.host);
      if (stopped) return;
      if (host === null) continue;
      const endpoint = endpointText({ host, port: peer.endpoint.port });
      await run('wg', ['set', peer.device, 'peer', peer.publicKey, 'endpoint', endpoint]);
    }
  }

  function readAgain(): void {
    void read().then(() => {
      if (!stopped) cancelRead = clock.after(readEvery, readAgain);
    });
  }

  return {
    settled() {
      const before = peers;
      const now = gatewayHost.plan.networks.flatMap((network) =>
        network.peers.map((peer) => {
          const { fails, recovers } = network.failover;
          const health = before.get(nameOf(peer.device, peer.address))?.health;
          const kept = health?.fails === fails && health.recovers === recovers ? health : null;
          return { network, peer, health: kept ?? new WanHealth(fails, recovers), cancel: () => {} };
        }),
      );
      for (const { cancel } of before.values()) cancel();
      peers = new Map(now.map((one) => [nameOf(one.peer.device, one.peer.address), one]));
      for (const one of now) void probe(one);
      cancelRead?.();
      dumped = null;
      if (now.length > 0) {
        readAgain();
        reportSoon();
      }
    },
    online() {
      if (peers.size > 0) reportSoon();
    },
    stop() {
      stopped = true;
      cancelRead?.();
      cancelReport?.();
      for (const { cancel } of peers.values()) cancel();
    },
    state: () => ({
      public_key: options.publicKey,
      networks: gatewayHost.plan.networks.map((network) => ({
        id: network.id,
        revision: network.revision,
        error: errorOf(network, dumped),
        peers: network.peers.map((peer) => peerState(peer, peers.get(nameOf(peer.device, peer.address)), dumped ?? [])),
        routes: network.routes.map(({ to, candidates }) => {
          const used = candidates.find(({ device }) => device === gatewayHost.paths[to]) ?? candidates[0]!;
          const alive = peers.get(nameOf(used.device, used.probe))?.health.state.alive;
          return { prefix: to, interface: alive === false ? null : used.device };
        }),
      })),
    }),
  };
}

function errorOf({ peers }: PlanNetwork, dumped: readonly DumpedPeer[] | null): string | null {
  if (dumped === null) return null;
  const absent = peers.find(
    (peer) => !dumped.some((one) => one.device === peer.device && one.publicKey === peer.publicKey),
  );
  return absent === undefined ? null : `interface ${absent.device} lacks the peer ${absent.address}`;
}

function peerState(
  { device, publicKey }: PlanNetwork['peers'][number],
  peer: Peer | undefined,
  dumped: readonly DumpedPeer[],
): EdgeSdwanState['networks'][number]['peers'][number] {
  const seen = dumped.find((one) => one.device === device && one.publicKey === publicKey);
  const health = peer?.health.state;
  return {
    interface: device,
    public_key: publicKey,
    handshake: seen?.handshake ?? null,
    endpoint: seen?.endpoint ?? null,
    rx_bytes: seen?.rxBytes ?? 0,
    tx_bytes: seen?.txBytes ?? 0,
    alive: health?.alive ?? null,
    latency_ms: health?.latencyMs ?? null,
    loss_pct: health?.lossPct ?? null,
  };
}

async function firstAddress(host: string): Promise<string | null> {
  return lookup(host).then(
    ({ address }) => address,
    () => null,
  );
}
