/**
 * `third-party.yunxun.sdwan`: one SD-WAN network as one gateway sees it. It never carries a private key: the agent makes
 * its own and reports the public half.
 */
export interface EdgeSdwan {
  /** Id of the SD-WAN network. */
  id: string;
  /** Hash of what follows; the agent reports it once it runs. */
  revision: string;
  /** This gateway's overlay IPv4 address. */
  address: string;
  interfaces: readonly EdgeSdwanInterface[];
  /** LAN prefixes behind other gateways. */
  routes: readonly EdgeSdwanRoute[];
  /** Prefix pairs that may pass between two tunnels; everything else between tunnels is dropped. */
  forward: readonly EdgeSdwanPair[];
  /** Own prefixes that others reach; `as`: the 1:1 mapped prefix under which they do. */
  lans: readonly { prefix: string; as?: string }[];
  /** Sum of what this gateway sends into this network's tunnels, kbit/s, on every interface. */
  up_kbps?: number;
  failover: EdgeSdwanFailover;
}

/** One WireGuard interface: one per uplink of a branch, one for all branches of a hub. */
export interface EdgeSdwanInterface {
  /** Unique on the gateway, at most 15 characters. */
  name: string;
  listen_port: number;
  /** Bytes. */
  mtu: number;
  peers: readonly EdgeSdwanPeer[];
}

export interface EdgeSdwanPeer {
  /** Base64 of 32 bytes. */
  public_key: string;
  /** The peer's overlay IPv4 address: probed, and routed by this interface alone, outside failover. */
  address: string;
  /** Prefixes that may come from and go to the peer, its own address included. */
  allowed: readonly string[];
  /** Absent: the peer dials. */
  endpoint?: { host: string; port: number };
  keepalive_s?: number;
  /** kbit/s sent to this peer. */
  up_kbps?: number;
}

export interface EdgeSdwanRoute {
  prefix: string;
  /** In order of preference: the interface, and the peer's overlay address whose probes decide. */
  candidates: readonly { interface: string; probe: string }[];
}

export interface EdgeSdwanPair {
  from: string;
  to: string;
}

export interface EdgeSdwanFailover {
  probe_ms: number;
  /** Consecutive lost probes until down, answered ones until up. */
  fails: number;
  recovers: number;
  /** Seconds that a preferred path must be up before traffic returns to it. */
  hold_s: number;
  order: 'preferred' | 'latency';
}

/** In the state report: the public key is there as soon as the agent has the ability `sdwan`. */
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
