import type { ApplicationCategory } from '../enums.ts';

// the device side of the contract stands alone: the box carries none of the rest
export { type ApplicationCategory, applicationCategories } from '../enums.ts';

/**
 * `third-party.yunxun` of a configuration document: what our own gateway agent does and the uCentral sections have no
 * words for. An agent refuses a document with a key here that it does not know; rates are kbit/s of 1000 bits.
 */
export interface EdgeSection {
  /** Seconds in which the console must have been reached over the new configuration, else the old one comes back. */
  confirm_s?: number;
  /** Static routes. */
  routes?: readonly EdgeRoute[];
  /** What is known of the lines to the internet, by the name of their interface. */
  lines?: readonly EdgeLine[];
  /** Rate limits. The most specific one counts alone: of a MAC, then of an address, then of an interface. */
  limits?: readonly EdgeLimit[];
  /** When the box restarts by itself, in the time zone of `unit.timezone`, else the box's own. */
  reboot?: EdgeReboot;
  app_flow?: { rules: readonly EdgeFlowRule[] };
}

/** A static route: `to` is a network (`10.9.0.0/16`), `via` a neighbour in a subnet of the box. */
export interface EdgeRoute {
  to: string;
  via: string;
}

/** One line: the upstream interface with this name. */
export interface EdgeLine {
  interface: string;
  down_kbps?: number;
  up_kbps?: number;
  probe?: EdgeProbe;
}

/** How a line is watched. */
export interface EdgeProbe {
  /** IPv4 addresses that answer pings; none: the line's gateway. */
  addresses?: readonly string[];
  every_s?: number;
  /** So many in a row without an answer and the line is lost, so many with one and it is back. */
  fails?: number;
  recovers?: number;
}

/** A limit of one terminal, or of all of an interface together. Seen from the terminals: down is what they receive. */
export interface EdgeLimit {
  name: string;
  /** Exactly one of them. */
  of: { mac?: string; address?: string; interface?: string };
  down_kbps?: number;
  up_kbps?: number;
}

/** Restarts at `at` (`HH:MM`) on these days of the week. */
export interface EdgeReboot {
  days: readonly EdgeDay[];
  at: string;
}

/** A rule of the operator for flow by application, before the built-in ones: `example.com` (and below), `tcp/8080`, `udp/27000-27100`. */
export interface EdgeFlowRule {
  match: string;
  category: ApplicationCategory;
}

/** Days of the week. */
export const edgeDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** One of `edgeDays`. */
export type EdgeDay = (typeof edgeDays)[number];

/** Bounds and defaults of the section, for whoever writes one and for the box that reads it. */
export const edgeLimits = {
  /** Seconds. */
  confirm: { min: 30, max: 600, otherwise: 60 },
  /** kbit/s */
  rate: { min: 64, max: 10_000_000 },
  /** Seconds between probes. */
  probeEvery: { min: 1, max: 300, otherwise: 5 },
  probeFails: { min: 1, max: 20, otherwise: 3 },
  probeRecovers: { min: 1, max: 20, otherwise: 3 },
  probeAddresses: 4,
  /** Lengths of the prefix of a line's own address, and of a network's. */
  linePrefix: { min: 1, max: 31 },
  lanPrefix: { min: 8, max: 30 },
  lines: 8,
  limits: 256,
  routes: 256,
  flowRules: 1000,
  interfaces: 32,
  /** Addresses reserved for terminals, and ports that are opened, on one interface. */
  staticLeases: 1024,
  portForwards: 256,
  /** A name of an interface or a limit, in characters. */
  name: 32,
} as const;
