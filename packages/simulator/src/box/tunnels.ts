import { createHash } from 'node:crypto';
import type { EdgeSdwanPeerState, EdgeSdwanState } from '@yunxun/contract/device';
import { holds, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import type { Plan } from '@yunxun/edge';
import { TrafficCounter } from '../world/counter.ts';
import { hashOf, type Random } from '../world/random.ts';

type Network = Plan['networks'][number];
type Peer = Network['peers'][number];

const handshakeSeconds = 120;
/** Per second and direction: two probes of 84 bytes in WireGuard packets. */
const probeBytes = 2 * 144;

const maxHops = 10;
const maxPrefixes = 20;

export type TunnelEnds = Map<string, TunnelEnd>;

/** A tunnel is alive when both documents name each other and one side can dial. */
export class TunnelEnd {
  readonly publicKey: string;
  readonly #ends: TunnelEnds;
  readonly #isUp: () => boolean;
  #networks: readonly Network[] = [];
  #used = new Map<string, string>();
  #peers = new Map<string, { handshake: number | null; traffic: TrafficCounter }>();

  constructor(serial: string, ends: TunnelEnds, isUp: () => boolean) {
    this.publicKey = createHash('sha256').update(`tunnel key of ${serial}`).digest('base64');
    this.#ends = ends;
    this.#isUp = isUp;
    ends.set(this.publicKey, this);
  }

  apply(networks: readonly Network[]): void {
    this.#networks = networks;
    const kept = new Set(networks.flatMap((network) => network.peers.map((peer) => nameOf(network, peer))));
    for (const name of this.#peers.keys()) if (!kept.has(name)) this.#peers.delete(name);
    const devices = new Map<string, string[]>();
    for (const { id, routes } of networks)
      for (const { to, candidates } of routes)
        devices.set(
          `${id} ${to}`,
          candidates.map(({ device }) => device),
        );
    for (const [name, used] of this.#used) if (!devices.get(name)?.includes(used)) this.#used.delete(name);
  }

  tick(seconds: number, nowMs: number): void {
    for (const network of this.#networks)
      for (const peer of network.peers)
        if (this.#isAlive(network, peer)) this.#record(network, peer, nowMs).traffic.add(...both(seconds * probeBytes));
  }

  state(nowMs: number, random: Random): EdgeSdwanState {
    return {
      public_key: this.publicKey,
      networks: this.#networks.map((network) => ({
        id: network.id,
        revision: network.revision,
        error: null,
        peers: network.peers.map((peer) => this.#peerState(network, peer, nowMs, random)),
        routes: network.routes.map(({ to, candidates }) => ({
          prefix: to,
          interface: candidates.find((candidate) => this.#carries(network, candidate))?.device ?? null,
        })),
      })),
    };
  }

  /** From lost paths to the first that is up; returns moves as the agent reports them. */
  choosePaths(): { network: string; from: string; to: string; prefixes: string[] }[] {
    const moves = new Map<string, { network: string; from: string; to: string; prefixes: string[] }>();
    for (const network of this.#networks)
      for (const { to: prefix, candidates } of network.routes) {
        const name = `${network.id} ${prefix}`;
        const from = this.#used.get(name) ?? candidates[0]!.device;
        const to = candidates.find((candidate) => this.#carries(network, candidate))?.device ?? from;
        this.#used.set(name, to);
        if (from === to) continue;
        const move = moves.get(`${network.id} ${from} ${to}`) ?? { network: network.id, from, to, prefixes: [] };
        if (move.prefixes.length < maxPrefixes) move.prefixes.push(prefix);
        moves.set(`${network.id} ${from} ${to}`, move);
      }
    return [...moves.values()];
  }

  answers(address: string): boolean {
    return this.#networks.some((network) =>
      network.peers.some((peer) => peer.address === address && this.#isAlive(network, peer)),
    );
  }

  /** Tunnels to the target by routes that are up; null: no arrival. */
  hopsTo(target: string, max = maxHops): number | null {
    for (const network of this.#networks) {
      const route = network.routes.find(({ to }) => isInside(to, target));
      if (route === undefined) continue;
      const used = route.candidates.find((candidate) => this.#carries(network, candidate));
      const peer = network.peers.find(({ device, address }) => device === used?.device && address === used.probe);
      const next = peer && this.#ends.get(peer.publicKey);
      if (next === undefined || max === 0) return null;
      if (!next.#routes(network.id, target)) return 1;
      const rest = next.hopsTo(target, max - 1);
      return rest === null ? null : rest + 1;
    }
    return null;
  }

  #routes(id: string, target: string): boolean {
    const own = this.#networks.find((network) => network.id === id);
    return own?.routes.some(({ to }) => isInside(to, target)) ?? false;
  }

  #carries(network: Network, { device, probe }: Network['routes'][number]['candidates'][number]): boolean {
    return network.peers.some(
      (peer) => peer.device === device && peer.address === probe && this.#isAlive(network, peer),
    );
  }

  #isAlive({ id }: Network, { publicKey, endpoint }: Peer): boolean {
    const other = this.#ends.get(publicKey);
    if (other === undefined || !this.#isUp() || !other.#isUp()) return false;
    const back = other.#networks
      .find((network) => network.id === id)
      ?.peers.find((peer) => peer.publicKey === this.publicKey);
    return back !== undefined && (endpoint !== null || back.endpoint !== null);
  }

  #record(network: Network, peer: Peer, nowMs: number) {
    const name = nameOf(network, peer);
    const record = this.#peers.get(name) ?? { handshake: null, traffic: new TrafficCounter() };
    const now = Math.floor(nowMs / 1000);
    if (record.handshake === null || now - record.handshake >= handshakeSeconds) record.handshake = now;
    this.#peers.set(name, record);
    return record;
  }

  #peerState(network: Network, peer: Peer, nowMs: number, random: Random): EdgeSdwanPeerState {
    const alive = this.#isAlive(network, peer);
    const record = alive ? this.#record(network, peer, nowMs) : this.#peers.get(nameOf(network, peer));
    const distance = 4 + (hashOf([this.publicKey, peer.publicKey].toSorted().join()) % 40);
    return {
      interface: peer.device,
      public_key: peer.publicKey,
      handshake: record?.handshake ?? null,
      endpoint: peer.endpoint === null ? null : `${peer.endpoint.host}:${peer.endpoint.port}`,
      rx_bytes: record?.traffic.rxBytes ?? 0,
      tx_bytes: record?.traffic.txBytes ?? 0,
      alive,
      latency_ms: alive ? Math.round((distance + random.between(0, 2)) * 10) / 10 : null,
      loss_pct: alive ? (random.chance(0.1) ? 1 : 0) : 100,
    };
  }
}

const nameOf = ({ id }: Network, { device, publicKey }: Peer) => `${id} ${device} ${publicKey}`;
const both = (bytes: number): [number, number] => [bytes, bytes];

function isInside(prefix: string, target: string): boolean {
  const [subnet, address] = [readSubnet(prefix), readAddress(target)];
  return subnet !== null && address !== null && holds(subnet, address);
}
