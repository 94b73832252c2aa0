export interface Layout {
  interfaces: readonly LayoutInterface[];
  leases: string | null;
  queries: string | null;
  lines: readonly LayoutWan[];
}

export interface LayoutInterface {
  /** `up0v0` by port (`uplinkName`), `down1v0` by index; `down1v20` on a VLAN. */
  name: string;
  location: string;
  role: 'upstream' | 'downstream';
  device: string;
  ports: readonly { name: string; device: string }[];
}

export interface LayoutWan {
  interface: string;
  device: string;
  address?: string;
  /** IPv4; empty: its gateway, its DNS servers, a public address. */
  targets: readonly string[];
  /** Absent: those of its lease. */
  dns?: readonly string[];
  /** Seconds between probes. */
  everyS: number;
  /** Consecutive failures until lost, answers until alive. */
  fails: number;
  recovers: number;
}

export const emptyLayout: Layout = { interfaces: [], leases: null, queries: null, lines: [] };
