import type { ApplicationCategory } from '../enums.ts';
import type { EdgeCaptive } from './edge-captive.ts';
import type { EdgeSdwan } from './edge-sdwan.ts';
import type { EdgeShield } from './edge-shield.ts';

// the agent bundles only the device contract
export { type ApplicationCategory, applicationCategories } from '../enums.ts';

/** `third-party.yunxun`. Unknown keys are rejected. kbit/s of 1000 bits. */
export interface EdgeSection {
  /** Until an unconfirmed configuration reverts. */
  confirm_s?: number;
  routes?: readonly EdgeRoute[];
  lines?: readonly EdgeWan[];
  /** The most specific applies: MAC, address, interface. */
  limits?: readonly EdgeLimit[];
  /** In `unit.timezone`, else the host's. */
  reboot?: EdgeReboot;
  /** MACs; needs `blocking`. */
  blocked?: readonly string[];
  /**
   * Stops what answers DNS on every address of the host, until the gateway no longer serves its LANs. Needs `port53`.
   */
  take_port53?: boolean;
  app_flow?: { rules: readonly EdgeFlowRule[] };
  /** Needs `sdwan`. */
  sdwan?: readonly EdgeSdwan[];
  /** Needs `shield`. */
  shield?: EdgeShield;
  /** Needs `captive`. */
  captive?: EdgeCaptive;
}

/** `to`: `10.9.0.0/16`; `via`: neighbour, or `interface`: an uplink (needs `wanRoutes`). */
export interface EdgeRoute {
  to: string;
  via?: string;
  interface?: string;
}

export interface EdgeWan {
  interface: string;
  down_kbps?: number;
  up_kbps?: number;
  probe?: EdgeProbe;
  /** Its connections move back once a preferred uplink lives again (needs `wanRoutes`). */
  metered?: boolean;
}

export interface EdgeProbe {
  /** Ping targets; default: the uplink's gateway, its DNS servers, `publicProbe`. */
  addresses?: readonly string[];
  every_s?: number;
  /** In a row: failures until down, successes until up. */
  fails?: number;
  recovers?: number;
}

/** Down: to the client. */
export interface EdgeLimit {
  name: string;
  /** Exactly one key. */
  of: { mac?: string; address?: string; interface?: string };
  down_kbps?: number;
  up_kbps?: number;
}

/** `at` is `HH:MM`. */
export interface EdgeReboot {
  days: readonly EdgeDay[];
  at: string;
}

/** First: `example.com` (with subdomains), `tcp/8080`, `udp/27000-27100`. */
export interface EdgeFlowRule {
  match: string;
  category: ApplicationCategory;
}

export const edgeDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type EdgeDay = (typeof edgeDays)[number];

export const edgeLimits = {
  /** Seconds. */
  confirm: { min: 30, max: 600, otherwise: 60 },
  /** kbit/s */
  rate: { min: 64, max: 10_000_000 },
  probeEvery: { min: 1, max: 300, otherwise: 5 },
  probeFails: { min: 1, max: 20, otherwise: 3 },
  probeRecovers: { min: 1, max: 20, otherwise: 3 },
  probeAddresses: 4,
  /** Of an uplink address and of a network. */
  linePrefix: { min: 1, max: 32 },
  lanPrefix: { min: 8, max: 30 },
  lines: 8,
  lineVlan: { min: 1, max: 4094 },
  /** Bytes; the port may allow less. */
  mtu: { min: 576, max: 9216, otherwise: 1500 },
  limits: 256,
  routes: 256,
  flowRules: 1000,
  interfaces: 32,
  /** Maximum per interface. */
  staticLeases: 1024,
  portForwards: 256,
  blocked: 1024,
  /** Maximum characters. */
  name: 32,
} as const;
