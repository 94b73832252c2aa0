import type { EdgeCaptiveAway, EdgeShield, ServedService } from '@yunxun/contract/device';
import { emptyLayout, type Layout } from '../measure/layout.ts';

/**
 * Desired state; equal input gives equal bytes. Lists are in creation order, removal is reverse. Each entry has a key
 * (`planKeys`), so a diff is set arithmetic. Order: sysctls (a device's once it exists), links, addresses, rules,
 * routes, nft, shapes, redirects, dnsmasq, dhcpClients, WAN entries (`wanEntries`).
 */
export interface Plan {
  sysctls: readonly PlanSysctl[];
  links: readonly PlanLink[];
  addresses: readonly PlanAddress[];
  dhcpClients: readonly PlanDhcpClient[];
  routes: readonly PlanRoute[];
  rules: readonly PlanRule[];
  /** `nft -f -`: replaces or removes `table inet yunxun` in one transaction. */
  nft: string;
  blocked: readonly string[];
  dnsmasq: PlanDnsmasq | null;
  shapes: readonly PlanShape[];
  redirects: readonly PlanRedirect[];
  lines: readonly PlanWan[];
  schedule: PlanSchedule | null;
  layout: Layout;
  tunnels: readonly PlanTunnel[];
  /** `withPaths` adds their routes. */
  networks: readonly PlanNetwork[];
  services: readonly PlanService[];
  shield?: EdgeShield | null;
  captive?: PlanCaptive;
}

/** `table` is for `nft -f -`. */
export interface PlanCaptive {
  nft: string;
  garden: readonly string[];
  /** Missing in a plan of an earlier agent, and without hosts. */
  pay?: readonly string[];
  page: string;
  secret: string;
  networks: readonly string[];
  /** Missing in a plan of an earlier agent. */
  devices?: readonly string[];
  away?: EdgeCaptiveAway;
  relays?: true;
  bridges?: true;
}

export interface PlanSysctl {
  /** Slashes below /proc/sys: device names may contain dots. */
  path: string;
  value: string;
  device: string | null;
  /** A missing setting is an error. */
  needed: boolean;
}

/** Without `mac`: a port's own, a VLAN's parent's. */
export type PlanLink =
  | { kind: 'bridge'; device: string; mtu: number | null }
  /** Foreign: joins or leaves `master` only. */
  | { kind: 'port'; device: string; master: string | null; mtu: number | null; mac?: string }
  | {
      kind: 'vlan';
      device: string;
      parent: string;
      id: number;
      master: string | null;
      mtu: number | null;
      mac?: string;
    }
  | { kind: 'ifb'; device: string }
  /** `userspace`: wireguard-go; process and device end together. */
  | { kind: 'wireguard'; device: string; mtu: number; userspace: boolean };

export interface PlanAddress {
  device: string;
  address: string;
}

export interface PlanDhcpClient {
  device: string;
  hostName: string | null;
  resolv: string | null;
  mac?: string;
}

export interface PlanRoute {
  table: number;
  to: string;
  via: string | null;
  device: string | null;
  metric: number;
}

export interface PlanRule {
  priority: number;
  from: string | null;
  oif?: string;
  mark: { value: number; mask: number } | null;
  table: number;
  /** `suppress_prefixlength 0`: ignores the table's default routes. */
  suppressDefault: boolean;
}

export interface PlanDnsmasq {
  config: string;
  leases: string;
  queries: string;
  pid: string;
  resolv: string | null;
  /** dnsmasq reads refused domains again on SIGHUP. */
  servers?: string;
  /** Its place is taken from another DNS server of the host, which starts again afterwards. */
  takes?: true;
}

/** A change replaces the whole htb tree. */
export interface PlanShape {
  device: string;
  /** Minor class of unlimited traffic; 0: none. */
  otherwise: number;
  classes: readonly PlanClass[];
  /** VLAN packets belong to other interfaces. */
  untaggedOnly?: true;
}

export interface PlanClass {
  minor: number;
  parent: number;
  rateKbps: number;
  ceilKbps: number;
  queue: 'fq_codel' | number | null;
}

export interface PlanRedirect {
  device: string;
  to: string;
  untaggedOnly?: true;
}

export interface PlanWan {
  name: string;
  interface: string;
  device: string;
  table: number;
  /** Mark of connections, deleted when the WAN is lost. */
  mark: { value: number; mask: number };
  rulePriority: number;
  /** Lowest living metric in main wins. */
  metric: number;
  fixed: { address: string; gateway: string } | null;
  /** Null or absent: those of its lease. */
  dns?: readonly string[] | null;
  routes?: readonly string[];
  /** Its connections end once a preferred WAN lives again. */
  metered?: true;
}

/** Holds the key's path, never the key. */
export interface PlanTunnel {
  device: string;
  listenPort: number;
  key: string;
  /** For the short-lived file of `wg`. */
  run: string;
  peers: readonly PlanPeer[];
}

export interface PlanPeer {
  publicKey: string;
  allowed: readonly string[];
  endpoint: PlanEndpoint | null;
  /** Seconds. */
  keepalive: number | null;
}

export interface PlanEndpoint {
  host: string;
  port: number;
}

export interface PlanNetwork {
  id: string;
  revision: string;
  address: string;
  peers: readonly { device: string; publicKey: string; address: string; endpoint: PlanEndpoint | null }[];
  routes: readonly PlanPaths[];
  failover: { probeMs: number; fails: number; recovers: number; holdS: number; order: 'preferred' | 'latency' };
}

export interface PlanService {
  service: ServedService;
  address: string;
  port: number;
}

/** In order of preference; `probe` decides. */
export interface PlanPaths {
  to: string;
  candidates: readonly { device: string; probe: string }[];
}

/** Days 0 (Sunday) to 6, `HH:MM`; null: the host's own zone. */
export interface PlanSchedule {
  days: readonly number[];
  at: string;
  timeZone: string | null;
}

export const routeProtocol = 201;
export const mainTable = 254;
export const rulePriorities = { first: 20_100, last: 20_199 } as const;

export const noTable = 'table inet yunxun\ndelete table inet yunxun\n';

export const emptyPlan: Plan = {
  sysctls: [],
  links: [],
  addresses: [],
  dhcpClients: [],
  routes: [],
  rules: [],
  nft: noTable,
  blocked: [],
  dnsmasq: null,
  shapes: [],
  redirects: [],
  lines: [],
  schedule: null,
  layout: emptyLayout,
  tunnels: [],
  networks: [],
  services: [],
};

/** An equal key with other contents is a change. */
export const planKeys = {
  sysctls: ({ path }: PlanSysctl) => path,
  links: ({ device }: PlanLink) => device,
  addresses: ({ device, address }: PlanAddress) => `${device} ${address}`,
  dhcpClients: ({ device }: PlanDhcpClient) => device,
  routes: ({ table, to, metric }: PlanRoute) => `${table} ${to} ${metric}`,
  rules: ({ priority }: PlanRule) => String(priority),
  shapes: ({ device }: PlanShape) => device,
  redirects: ({ device }: PlanRedirect) => device,
  lines: ({ name }: PlanWan) => name,
  tunnels: ({ device }: PlanTunnel) => device,
  networks: ({ id }: PlanNetwork) => id,
  services: ({ service, address, port }: PlanService) => `${service} ${address} port ${port}`,
} as const;
