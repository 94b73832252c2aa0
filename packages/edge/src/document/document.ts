import type { EdgeCaptive, EdgeFlowRule, EdgeSdwan, EdgeService, EdgeShield } from '@yunxun/contract/device';
import type { Subnet } from '@yunxun/contract/ipv4';

/** Validated, with defaults. Addresses are numbers, times seconds. */
export interface EdgeDocument {
  hostName: string | null;
  /** Null: the host's own. */
  timeZone: string | null;
  uplinks: readonly Uplink[];
  networks: readonly Network[];
  routes: readonly { to: Subnet; via: number }[];
  wanRoutes: readonly { to: Subnet; uplink: string }[];
  limits: readonly Limit[];
  /** Days are 0 (Sunday) to 6. */
  reboot: { days: readonly number[]; at: string } | null;
  blocked: readonly string[];
  takesPort53: boolean;
  sshPort: number;
  /** Confirmation timeout, in seconds. */
  confirmS: number;
  flowRules: readonly EdgeFlowRule[];
  sdwan: readonly EdgeSdwan[];
  shield: EdgeShield | null;
  captive: EdgeCaptive | null;
}

export interface Port {
  name: string;
  device: string;
  tagged: boolean;
}

interface Common {
  index: number;
  name: string;
  vlan: number;
  mtu: number | null;
  services: readonly EdgeService[];
}

export interface Uplink extends Common {
  port: Port;
  /** MAC address that replaces the port's own; null: none. */
  mac: string | null;
  metric: number;
  addressing: { kind: 'dynamic'; sendHostName: boolean } | { kind: 'static'; subnet: Subnet; gateway: number };
  dns: readonly number[] | null;
  downKbps: number | null;
  upKbps: number | null;
  probe: { addresses: readonly number[]; everyS: number; fails: number; recovers: number };
  metered: boolean;
}

export interface Network extends Common {
  ports: readonly Port[];
  /** The host's own. Null: bridging only. */
  subnet: Subnet | null;
  dhcp: { first: number; last: number; leaseS: number; dns: readonly number[] } | null;
  leases: readonly StaticLease[];
  forwards: readonly PortForward[];
  barred: readonly Subnet[];
}

export interface StaticLease {
  mac: string;
  address: number;
  leaseS: number;
  publish: boolean;
}

/** Both ranges have the same length. */
export interface PortForward {
  protocol: 'tcp' | 'udp' | 'any';
  external: { first: number; last: number };
  address: number;
  internal: number;
}

export interface Limit {
  name: string;
  of: { kind: 'mac'; mac: string } | { kind: 'address'; address: number } | { kind: 'interface'; name: string };
  downKbps: number | null;
  upKbps: number | null;
}
