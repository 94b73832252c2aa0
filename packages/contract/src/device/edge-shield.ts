import { type ShieldCategory, shieldCategories } from '../enums.ts';
import * as is from './grammar.ts';
import { needed, type Sent } from './grammar.ts';

// no imports beyond the device contract: the agent bundles only that
export { type ShieldCategory, shieldCategories };

/** Per gateway, list, batch. */
export const edgeShieldLimits = {
  lists: 16,
  allow: 500,
  domains: 300_000,
  bytes: 8 * 1024 * 1024,
  rows: 1000,
} as const;

export const edgeShieldModes = ['monitor', 'block'] as const;
export type EdgeShieldMode = (typeof edgeShieldModes)[number];

/** Lower case, at least two labels. */
export const domainForm = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const domain = is.pattern(domainForm, 'a domain');

const shieldList = is.closed({
  category: needed(is.word(...shieldCategories)),
  /** Of the text, lower-case hexadecimal. */
  sha256: needed(is.pattern(/^[0-9a-f]{64}$/, 'a SHA-256 sum')),
  /** On the console: a domain per line. */
  path: needed(is.pattern(/^(\/[A-Za-z0-9_.-]{1,128}){1,8}$/, 'a path')),
});

/** Refused by the resolver, for all networks. */
export const shieldForm = is.closed({
  /** `monitor` counts what `block` would answer with NXDOMAIN. */
  mode: needed(is.word(...edgeShieldModes)),
  /** The first match gives the category. */
  lists: needed(is.list(shieldList, edgeShieldLimits.lists)),
  /** With subdomains, before lists. */
  allow: needed(is.list(domain, edgeShieldLimits.allow)),
  /** Redirects foreign DNS, drops DNS over TLS. */
  redirect: is.flag,
});

export type EdgeShield = Sent<typeof shieldForm>;
export type EdgeShieldList = Sent<typeof shieldList>;

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
