import { type ShieldCategory, shieldCategories } from '../enums.ts';

// no imports beyond the device contract: the agent bundles only that
export { type ShieldCategory, shieldCategories };

/** Domains refused by the resolver, for all its networks. */
export interface EdgeShield {
  /** `monitor` counts what `block` would answer with NXDOMAIN. */
  mode: EdgeShieldMode;
  /** The first match gives the category. */
  lists: readonly EdgeShieldList[];
  /** With subdomains, before lists. */
  allow: readonly string[];
  /** Redirects foreign DNS, drops DNS over TLS. */
  redirect?: boolean;
}

export const edgeShieldModes = ['monitor', 'block'] as const;
export type EdgeShieldMode = (typeof edgeShieldModes)[number];

export interface EdgeShieldList {
  category: ShieldCategory;
  /** Of the text, lower-case hexadecimal. */
  sha256: string;
  /** On the console: a domain per line. */
  path: string;
}

/** With a shield only. */
export interface EdgeShieldState {
  mode: EdgeShieldMode;
  /** In use; missing ones are not downloaded yet. */
  lists: readonly { category: ShieldCategory; sha256: string; domains: number }[];
  /** Null: none missing. */
  error: string | null;
  /**
   * Whether the gateway's resolver just refused a listed name; null: not asked, or nothing to refuse. Absent before
   * agents that ask.
   */
  refuses?: boolean | null;
}

/** `taken`: last stored batch, to be forgotten. */
export type EdgeShieldParams = { tool: 'shield'; taken: string | null };

/** Repeated until it is taken. */
export interface EdgeShieldBatch {
  id: string;
  rows: readonly EdgeShieldRow[];
}

export interface EdgeShieldRow {
  /** Start of the hour, Unix seconds. */
  at: number;
  /** Suffix of the queried name; empty: sum beyond the limit. */
  domain: string;
  /** Twelve digits; empty: unknown. */
  mac: string;
  category: ShieldCategory;
  blocked: boolean;
  queries: number;
}

/** Per gateway, list, batch. */
export const edgeShieldLimits = {
  lists: 16,
  allow: 500,
  domains: 300_000,
  bytes: 8 * 1024 * 1024,
  rows: 1000,
} as const;
