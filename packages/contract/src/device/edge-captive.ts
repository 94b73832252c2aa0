import { edgeLimits } from './edge-limits.ts';
import { domainForm } from './edge-shield.ts';
import * as is from './grammar.ts';
import { needed, type Sent } from './grammar.ts';
import { timeOfDay } from './opening-hours.ts';

/** `paySeconds`: of a pass; `port`: redirector; `relayAge`: seconds; `url`: characters. */
export const edgeCaptiveLimits = {
  garden: 64,
  pay: 32,
  paySeconds: 900,
  exempt: 256,
  ranges: 64,
  guests: 2000,
  seconds: 366 * 86_400,
  port: 3998,
  relayPort: 3997,
  relayAge: 300,
  url: 300,
  kbps: 10_000_000,
  hours: 14,
} as const;

export const captiveForms = {
  ticket: /^[\w-]{8,64}$/,
  secret: /^[\w-]{32,64}$/,
  zone: /^[A-Za-z][\w+-]{0,31}(\/[\w+-]{1,32}){0,2}$/,
  nonce: /^[\w-]{22}$/,
  ipv6: /^[0-9a-f:]{2,39}$/,
  api: /^https:\/\/[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[1-9]\d{0,4})?(\/[\w.-]{1,64}){1,8}$/,
  relay: /^YUNXUN ([0-9a-f]{2}(?::[0-9a-f]{2}){5}) (\d{1,3}(?:\.\d{1,3}){3}) (\d{1,12}) ([\w-]{22}) ([\w-]{43})$/,
  page: /^https?:\/\/[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[1-9]\d{0,4})?(\/[\w.-]{1,64}){1,8}$/,
} as const;

const away = is.closed({
  /** IANA name, for `hours`. */
  zone: needed(is.pattern(captiveForms.zone, 'a time zone')),
  /** Empty: always. */
  hours: needed(
    is.list(
      is.closed({
        days: needed(is.list(is.integer(1, 7), 7, 1)),
        from: needed(is.pattern(timeOfDay, 'a time of day')),
        to: needed(is.pattern(timeOfDay, 'a time of day')),
      }),
      edgeCaptiveLimits.hours,
    ),
  ),
});

/** Networks whose clients sign in first. */
export const captiveForm = is.closed({
  interfaces: needed(is.list(is.text(edgeLimits.name), edgeLimits.interfaces, 1)),
  /** The gateway adds the query of `captiveText`. */
  page: needed(is.pattern(captiveForms.page, 'the address of a page')),
  /** Base64url; of this gateway and the console. */
  secret: needed(is.pattern(captiveForms.secret, 'a secret')),
  /** With subdomains. */
  garden: needed(is.list(is.pattern(domainForm, 'a domain'), edgeCaptiveLimits.garden)),
  exempt_macs: needed(is.list(is.mac, edgeCaptiveLimits.exempt)),
  exempt_addresses: needed(is.list(is.address, edgeCaptiveLimits.exempt)),
  exempt_ipv6: is.list(is.pattern(captiveForms.ipv6, 'an IPv6 address'), edgeCaptiveLimits.exempt),
  ranges: is.list(
    is.closed({
      interface: needed(is.text(edgeLimits.name)),
      first: needed(is.address),
      last: needed(is.address),
    }),
    edgeCaptiveLimits.ranges,
  ),
  /** With subdomains; open on port 443 to a client with a pass; needs `captivePay`. */
  pay: is.list(is.pattern(domainForm, 'a domain'), edgeCaptiveLimits.pay),
  /** RFC 8908; on the page's host; needs `captiveApi`. */
  api: is.pattern(captiveForms.api, 'an https address'),
  /** Opens the networks while the console is away; needs `captiveAway`. */
  away,
});

export type EdgeCaptive = Sent<typeof captiveForm>;
export type EdgeCaptiveAway = Sent<typeof away>;

/** `nonce`: per redirect; `url`: asked for, or empty. */
export interface EdgeCaptiveQuery {
  mac: string;
  ip: string;
  nonce: string;
  url: string;
}

/** Returns the text that is signed with HMAC-SHA256, base64url, as `sig`. */
export function captiveText({ mac, ip, nonce, url }: EdgeCaptiveQuery): string {
  return `yunxun-captive\n${mac}\n${ip}\n${nonce}\n${url}\n`;
}

/** Client of a relayed connection; `at`: Unix seconds; `nonce`: per connection. */
export interface EdgeCaptiveRelay {
  mac: string;
  ip: string;
  at: number;
  nonce: string;
}

/** Signed like `captiveText`. */
export function relayText({ mac, ip, at, nonce }: EdgeCaptiveRelay): string {
  return `yunxun-relay\n${mac}\n${ip}\n${at}\n${nonce}\n`;
}

/** Precedes TLS. */
export function relayLine({ mac, ip, at, nonce }: EdgeCaptiveRelay, sig: string): string {
  return `YUNXUN ${mac} ${ip} ${at} ${nonce} ${sig}\n`;
}

/**
 * For `seconds` (null: until revoked); a later grant replaces it, and one with the same ticket goes on counting. Rates
 * of 0 are no limit; others need the ability `captiveRates`.
 */
export type EdgeCaptiveParams =
  | {
      tool: 'captive';
      op: 'grant';
      ticket: string;
      mac: string;
      seconds: number | null;
      up_kbps: number;
      down_kbps: number;
    }
  /** Ignored under another ticket. */
  | { tool: 'captive'; op: 'revoke'; ticket: string; mac: string }
  /** Opens the hosts of `pay` before the sign-in; needs `captivePay`. */
  | { tool: 'captive'; op: 'pass'; mac: string; seconds: number };

/** With captive networks only. */
export interface EdgeCaptiveState {
  guests: readonly EdgeCaptiveGuest[];
}

export interface EdgeCaptiveGuest {
  ticket: string;
  mac: string;
  /** Unix seconds; null: no limit. */
  until: number | null;
  /** Since the grant: `rx` from the client. */
  rx_bytes: number;
  tx_bytes: number;
}
