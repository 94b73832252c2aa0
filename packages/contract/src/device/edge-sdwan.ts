/** One gateway's view. Private keys stay on the host, which reports the public half. */
export interface EdgeSdwan {
  /** Id of the SD-WAN network. */
  id: string;
  /** Hash of the rest, reported once it runs. */
  revision: string;
  /** This gateway's overlay IPv4 address. */
  address: string;
  interfaces: readonly EdgeSdwanInterface[];
  /** LAN prefixes behind other gateways. */
  routes: readonly EdgeSdwanRoute[];
  /** Pairs between tunnels; others are dropped. */
  forward: readonly EdgeSdwanPair[];
  /** `as`: 1:1 mapped prefix for others. */
  lans: readonly { prefix: string; as?: string }[];
  /** kbit/s into all tunnels, per interface. */
  up_kbps?: number;
  failover: EdgeSdwanFailover;
}

/** Per uplink of a branch; one for all branches of a hub. */
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
  /** Probed; routed by this interface alone, outside failover. */
  address: string;
  /** From and to the peer, its address included. */
  allowed: readonly string[];
  /** Absent: the peer dials. */
  endpoint?: { host: string; port: number };
  keepalive_s?: number;
  /** kbit/s sent to this peer. */
  up_kbps?: number;
}

export interface EdgeSdwanRoute {
  prefix: string;
  /** By preference: interface, and probed overlay address. */
  candidates: readonly { interface: string; probe: string }[];
}

export interface EdgeSdwanPair {
  from: string;
  to: string;
}

export interface EdgeSdwanFailover {
  probe_ms: number;
  /** In a row: lost until down, answered until up. */
  fails: number;
  recovers: number;
  /** Up before traffic returns. */
  hold_s: number;
  order: 'preferred' | 'latency';
}

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
