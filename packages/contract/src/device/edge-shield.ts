import { type ShieldCategory, shieldCategories } from '../enums.ts';

// no imports beyond the device contract: the agent bundles only that
export { type ShieldCategory, shieldCategories };

/** `third-party.yunxun.shield`: domains that the gateway's resolver refuses, for all networks that it serves. */
export interface EdgeShield {
  /** `monitor` counts the queries that `block` would answer with NXDOMAIN. */
  mode: EdgeShieldMode;
  /** The first list with a domain gives its category. */
  lists: readonly EdgeShieldList[];
  /** Allowed with their subdomains, whatever the lists say. */
  allow: readonly string[];
  /** Redirects DNS to other servers to the gateway, and drops DNS over TLS. */
  redirect?: boolean;
}

export const edgeShieldModes = ['monitor', 'block'] as const;
export type EdgeShieldMode = (typeof edgeShieldModes)[number];

export interface EdgeShieldList {
  category: ShieldCategory;
  /** Of the text, lower-case hexadecimal. */
  sha256: string;
  /** Path on the console: a domain per line. */
  path: string;
}

/** In the state report, while the configuration has a shield. */
export interface EdgeShieldState {
  mode: EdgeShieldMode;
  /** Lists in use. One of the document that is missing here is not downloaded yet. */
  lists: readonly { category: ShieldCategory; sha256: string; domains: number }[];
  /** Why a list is missing; null: none is. */
  error: string | null;
}

/** Fetches counted queries. `taken`: the last batch that the console has stored; the agent forgets it. */
export type EdgeShieldParams = { tool: 'shield'; taken: string | null };

/** Repeated until it is taken. */
export interface EdgeShieldBatch {
  id: string;
  rows: readonly EdgeShieldRow[];
}

export interface EdgeShieldRow {
  /** Start of the hour, Unix seconds. */
  at: number;
  /** Listed domain, a suffix of the queried name. Empty: the row sums up what was beyond the limit. */
  domain: string;
  /** Twelve hexadecimal digits; empty: unknown. */
  mac: string;
  category: ShieldCategory;
  blocked: boolean;
  queries: number;
}

/** `domains`: of all lists of a gateway; `bytes`: of a list; `rows`: of a batch. */
export const edgeShieldLimits = {
  lists: 16,
  allow: 500,
  domains: 300_000,
  bytes: 8 * 1024 * 1024,
  rows: 1000,
} as const;
