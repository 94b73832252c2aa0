/** What the measuring side has to know of the running plan: which device of the kernel is which interface of the document. */
export interface Layout {
  interfaces: readonly LayoutInterface[];
  /** File of dnsmasq's leases; null where the box serves no addresses. */
  leases: string | null;
  /** File that dnsmasq writes its queries to (`log-queries=extra`); null where it does not. */
  queries: string | null;
  lines: readonly LayoutLine[];
}

/** One interface of the document. */
export interface LayoutInterface {
  /** `up0v0` by its socket (`uplinkName`), `down1v0` by its place in the document; `down1v20` on a VLAN. */
  name: string;
  /** `/interfaces/<index in the document>` */
  location: string;
  role: 'upstream' | 'downstream';
  /** The kernel's device that carries its addresses: `eth0`, `yx-lan1`. */
  device: string;
  /** The sockets below it: `LAN1` and the device of it. */
  ports: readonly { name: string; device: string }[];
}

/** A line to the internet, and how it is probed. */
export interface LayoutLine {
  /** Name of its interface: `up0v0`. */
  interface: string;
  device: string;
  /** Its own address where the document gives it one; left out on a line that is told its address. */
  address?: string;
  /** IPv4 addresses that answer pings. None: the line's gateway is asked. */
  targets: readonly string[];
  /** Seconds between probes. */
  everyS: number;
  /** So many in a row without an answer, and the line is lost; so many with one, and it is back. */
  fails: number;
  recovers: number;
}

/** Nothing is configured. */
export const emptyLayout: Layout = { interfaces: [], leases: null, queries: null, lines: [] };
