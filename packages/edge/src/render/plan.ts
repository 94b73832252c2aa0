import { emptyLayout, type Layout } from '../measure/layout.ts';

/**
 * What the box is to be, as plain data: the same document and facts give the same bytes. Lists are sorted in the order
 * in which their entries are made (and unmade backwards); each entry holds all that making and unmaking it takes, and
 * has a key (`planKeys`), so a difference of two plans is set arithmetic.
 *
 * Order of the sections when a plan is made: sysctls (those of a device once it is there), links, addresses, rules,
 * routes, nft, shapes, redirects, dnsmasq, dhcpClients, then the lines as they come to life (`lineEntries`).
 */
export interface Plan {
  sysctls: readonly PlanSysctl[];
  links: readonly PlanLink[];
  addresses: readonly PlanAddress[];
  dhcpClients: readonly PlanDhcpClient[];
  routes: readonly PlanRoute[];
  rules: readonly PlanRule[];
  /** For `nft -f -`: replaces `table inet yunxun` in one transaction, or removes it. */
  nft: string;
  dnsmasq: PlanDnsmasq | null;
  shapes: readonly PlanShape[];
  redirects: readonly PlanRedirect[];
  lines: readonly PlanLine[];
  schedule: PlanSchedule | null;
  /** For those who measure. Nothing of the kernel depends on it. */
  layout: Layout;
}

/** A kernel setting: `net/ipv4/ip_forward` = `1`. */
export interface PlanSysctl {
  /** Below /proc/sys, as names of devices may hold dots. */
  path: string;
  value: string;
  /** The device it belongs to: written when that exists, gone with it. */
  device: string | null;
  /** Where the kernel has no such setting: a failure, or passed over. */
  needed: boolean;
}

/** A device. All are set up. */
export type PlanLink =
  /** Made and deleted by us; no spanning tree, no forward delay. */
  | { kind: 'bridge'; device: string; mtu: number | null }
  /** Somebody else's device: never made, never deleted; joins `master` (or leaves any of ours). */
  | { kind: 'port'; device: string; master: string | null; mtu: number | null }
  /** Made and deleted by us. */
  | { kind: 'vlan'; device: string; parent: string; id: number; master: string | null; mtu: number | null }
  /** Made and deleted by us. */
  | { kind: 'ifb'; device: string };

/** An address of ours on a device: `192.168.1.1/24`. */
export interface PlanAddress {
  device: string;
  address: string;
}

/** A DHCP client on a line; what it learns becomes `lineEntries`. */
export interface PlanDhcpClient {
  device: string;
  /** Sent as host name; null: none. */
  hostName: string | null;
  /** Where the name servers that it learns belong (dnsmasq reads it); null: they are not wanted. */
  resolv: string | null;
}

/** A route with `proto 201`. */
export interface PlanRoute {
  /** 254 is main. */
  table: number;
  /** `default` or a network. */
  to: string;
  via: string | null;
  device: string | null;
  metric: number;
}

/** A rule with `proto 201`: of all, of a mark, or of a source address. */
export interface PlanRule {
  priority: number;
  from: string | null;
  mark: { value: number; mask: number } | null;
  table: number;
  /** `suppress_prefixlength 0`: the table's default routes do not count. */
  suppressDefault: boolean;
}

/** Our own dnsmasq: run with `--conf-file=<where you put config>`, no other file of it is read. */
export interface PlanDnsmasq {
  config: string;
  /** Files that the configuration names. */
  leases: string;
  queries: string;
  pid: string;
  /** Must exist (empty is fine) before dnsmasq starts; the DHCP clients' name servers go there. Null: none. */
  resolv: string | null;
}

/** The htb tree at the root of a device. A change replaces the whole tree (`shapeArguments`, `unshapeArguments`). */
export interface PlanShape {
  device: string;
  /** Minor number of the class for what no limit is about; 0: that passes by. */
  otherwise: number;
  classes: readonly PlanClass[];
}

/** Class `1:<minor>`; parent 0 is the root. */
export interface PlanClass {
  minor: number;
  parent: number;
  /** What it is sure of and what it may take at most, kbit/s. */
  rateKbps: number;
  ceilKbps: number;
  /** Of a leaf: `fq_codel`, or a fifo of so many packets. Null: it has classes below it. */
  queue: 'fq_codel' | number | null;
}

/** All that comes in at a device goes through an ifb first, whose shape then holds. */
export interface PlanRedirect {
  device: string;
  to: string;
}

/** A line to the internet. `lineEntries` says what it means in the kernel, alive and lost. */
export interface PlanLine {
  /** Of the interface in the document. */
  name: string;
  /** `up0v0`, as in the layout. */
  interface: string;
  device: string;
  /** Own routing table: 201 and up. */
  table: number;
  /** Connections of this line carry it: `conntrack -D --mark value/mask` when the line is lost. */
  mark: { value: number; mask: number };
  /** Priority of the rule for what the box sends from the line's address. */
  rulePriority: number;
  /** Of its default route in main: the lowest living one wins. */
  metric: number;
  /** Its address, without prefix, and its gateway. Null: by DHCP. */
  fixed: { address: string; gateway: string } | null;
}

/** Restarts: days 0 (Sunday) to 6, `HH:MM`; time zone null is the box's own. */
export interface PlanSchedule {
  days: readonly number[];
  at: string;
  timeZone: string | null;
}

/** Protocol number of our routes and rules. */
export const routeProtocol = 201;
/** The main routing table. */
export const mainTable = 254;
/** Our rules lie in this range. */
export const rulePriorities = { first: 20_100, last: 20_199 } as const;

/** Our table, absent. */
export const noTable = 'table inet yunxun\ndelete table inet yunxun\n';

/** A box that nobody configured. */
export const emptyPlan: Plan = {
  sysctls: [],
  links: [],
  addresses: [],
  dhcpClients: [],
  routes: [],
  rules: [],
  nft: noTable,
  dnsmasq: null,
  shapes: [],
  redirects: [],
  lines: [],
  schedule: null,
  layout: emptyLayout,
};

/** What makes an entry the same one: with an equal key and other contents it is a change, not a removal and an addition. */
export const planKeys = {
  sysctls: ({ path }: PlanSysctl) => path,
  links: ({ device }: PlanLink) => device,
  addresses: ({ device, address }: PlanAddress) => `${device} ${address}`,
  dhcpClients: ({ device }: PlanDhcpClient) => device,
  routes: ({ table, to, metric }: PlanRoute) => `${table} ${to} ${metric}`,
  rules: ({ priority }: PlanRule) => String(priority),
  shapes: ({ device }: PlanShape) => device,
  redirects: ({ device }: PlanRedirect) => device,
  lines: ({ name }: PlanLine) => name,
} as const;
