import { edgeLimits } from './edge-limits.ts';
import * as is from './grammar.ts';
import { needed, type Sent } from './grammar.ts';

export const edgeSdwanLimits = {
  networks: 4,
  interfaces: 4,
  peers: 1000,
  routes: 4096,
  pairs: 4096,
  lans: 32,
  /** Bytes. */
  mtu: { min: 1280, max: 1440 },
} as const;

/** Device names safe for nft, tc, ip and dnsmasq. */
export const deviceForm = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$/;

const kbps = is.within(edgeLimits.rate);
const port = is.integer(1, 65_535);
const device = is.pattern(deviceForm, 'the name of an interface');
const pair = is.closed({ from: needed(is.subnet), to: needed(is.subnet) });

const peer = is.closed({
  /** Base64 of 32 bytes. */
  public_key: needed(is.pattern(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'a WireGuard public key')),
  /** Probed; routed by this interface alone, outside failover. */
  address: needed(is.address),
  /** From and to the peer, its address included. */
  allowed: needed(is.list(is.subnet, edgeSdwanLimits.routes, 1)),
  /** Absent: the peer dials. */
  endpoint: is.closed({ host: needed(is.pattern(/^[A-Za-z0-9][A-Za-z0-9.:-]{0,252}$/, 'a host')), port: needed(port) }),
  keepalive_s: is.integer(1, 65_535),
  /** kbit/s sent to this peer. */
  up_kbps: kbps,
});

/** Per uplink of a branch; one for all branches of a hub. */
const tunnel = is.closed({
  /** Unique on the gateway. */
  name: needed(device),
  listen_port: needed(port),
  /** Bytes. */
  mtu: needed(is.within(edgeSdwanLimits.mtu)),
  peers: needed(is.list(peer, edgeSdwanLimits.peers)),
});

/** LAN prefix behind other gateways; candidates by preference. */
const route = is.closed({
  prefix: needed(is.subnet),
  candidates: needed(
    is.list(is.closed({ interface: needed(device), probe: needed(is.address) }), edgeSdwanLimits.interfaces, 1),
  ),
});

const failover = is.closed({
  probe_ms: needed(is.integer(100, 60_000)),
  /** In a row: lost until down, answered until up. */
  fails: needed(is.integer(1, 20)),
  recovers: needed(is.integer(1, 60)),
  /** Up before traffic returns. */
  hold_s: needed(is.integer(0, 3600)),
  order: needed(is.word('preferred', 'latency')),
});

export const sdwanForm = is.closed({
  id: needed(is.text(64)),
  /** Hash of the rest, reported once it runs. */
  revision: needed(is.pattern(/^[\w.:+/=-]{1,128}$/, 'a revision')),
  /** Overlay IPv4. */
  address: needed(is.address),
  interfaces: needed(is.list(tunnel, edgeSdwanLimits.interfaces, 1)),
  routes: needed(is.list(route, edgeSdwanLimits.routes)),
  /** Pairs between tunnels; others are dropped. */
  forward: needed(is.list(pair, edgeSdwanLimits.pairs)),
  /** `as`: 1:1 mapped prefix for others. */
  lans: needed(is.list(is.closed({ prefix: needed(is.subnet), as: is.subnet }), edgeSdwanLimits.lans)),
  /** kbit/s into all tunnels, per interface. */
  up_kbps: kbps,
  failover: needed(failover),
});

export type EdgeSdwan = Sent<typeof sdwanForm>;
export type EdgeSdwanInterface = Sent<typeof tunnel>;
export type EdgeSdwanPeer = Sent<typeof peer>;
export type EdgeSdwanRoute = Sent<typeof route>;
export type EdgeSdwanPair = Sent<typeof pair>;
export type EdgeSdwanFailover = Sent<typeof failover>;

/** The public key comes with the ability `sdwan`. */
export interface EdgeSdwanState {
  public_key: string;
  networks: readonly {
    id: string;
    /** What runs; null while nothing does. */
    revision: string | null;
    error: string | null;
    peers: readonly EdgeSdwanPeerState[];
    /** Interface that carries each route now; null: none is up. */
    routes: readonly { prefix: string; interface: string | null }[];
  }[];
}

export interface EdgeSdwanPeerState {
  interface: string;
  public_key: string;
  /** Unix seconds of the last handshake; null before the first. */
  handshake: number | null;
  endpoint: string | null;
  rx_bytes: number;
  tx_bytes: number;
  alive: boolean | null;
  latency_ms: number | null;
  loss_pct: number | null;
}
