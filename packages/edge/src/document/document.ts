import type { EdgeFlowRule } from '@yunxun/contract/device';
import type { Subnet } from '@yunxun/contract/ipv4';

/** A document that was taken: whole, consistent, with defaults filled in. Addresses are numbers, times seconds. */
export interface EdgeDocument {
  /** `unit.hostname`, else `unit.name`, where it can be a host name. */
  hostName: string | null;
  /** IANA name; null: the box's own. */
  timeZone: string | null;
  uplinks: readonly Uplink[];
  networks: readonly Network[];
  routes: readonly { to: Subnet; via: number }[];
  limits: readonly Limit[];
  /** Days are 0 (Sunday) to 6. */
  reboot: { days: readonly number[]; at: string } | null;
  sshPort: number;
  /** Seconds. */
  confirmS: number;
  flowRules: readonly EdgeFlowRule[];
}

/** A socket of the box that an interface uses. */
export interface Port {
  name: string;
  device: string;
  tagged: boolean;
}

interface Common {
  /** In the document. */
  index: number;
  name: string;
  /** 0: none. */
  vlan: number;
  mtu: number | null;
  /** The box's own ssh answers here. */
  ssh: boolean;
}

/** An upstream interface: one line to the internet. */
export interface Uplink extends Common {
  port: Port;
  /** Lower is preferred; those without come last. */
  metric: number;
  addressing: { kind: 'dynamic'; sendHostName: boolean } | { kind: 'static'; subnet: Subnet; gateway: number };
  /** Name servers to ask; null on a dynamic line: those it is given. */
  dns: readonly number[] | null;
  downKbps: number | null;
  upKbps: number | null;
  probe: { addresses: readonly number[]; everyS: number; fails: number; recovers: number };
}

/** A downstream interface: one network of terminals. */
export interface Network extends Common {
  ports: readonly Port[];
  /** The box's own address in it. Null: the box has none here, and only bridges. */
  subnet: Subnet | null;
  dhcp: { first: number; last: number; leaseS: number; dns: readonly number[] } | null;
  leases: readonly StaticLease[];
  forwards: readonly PortForward[];
  /** Networks beyond the lines that terminals here may not reach. */
  barred: readonly Subnet[];
}

/** An address kept for one terminal. */
export interface StaticLease {
  mac: string;
  address: number;
  leaseS: number;
  /** Whether the terminal's own name goes into DNS. */
  publish: boolean;
}

/** Ports of the lines that lead to a terminal. Both ranges have the same length. */
export interface PortForward {
  protocol: 'tcp' | 'udp' | 'any';
  external: { first: number; last: number };
  address: number;
  /** First port of the terminal. */
  internal: number;
}

/** A rate limit; at least one rate is set. */
export interface Limit {
  name: string;
  of: { kind: 'mac'; mac: string } | { kind: 'address'; address: number } | { kind: 'interface'; name: string };
  downKbps: number | null;
  upKbps: number | null;
}
