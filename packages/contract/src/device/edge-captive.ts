/** `third-party.yunxun.captive`: networks whose clients sign in on a page of the console first. */
export interface EdgeCaptive {
  interfaces: readonly string[];
  /** The gateway adds the query that `captiveText` signs. */
  page: string;
  /** Base64url, known to this gateway and the console only. */
  secret: string;
  /**
   * Open before the sign-in: names with subdomains, by the gateway's resolver, and IPv4 addresses.
   */
  garden: readonly string[];
  exempt_macs: readonly string[];
  /** IPv4. */
  exempt_addresses: readonly string[];
}

/** `nonce` is new for each redirect; `url`: what the client asked for, or empty. */
export interface EdgeCaptiveQuery {
  mac: string;
  ip: string;
  nonce: string;
  url: string;
}

/** The gateway signs this text: HMAC-SHA256 with the secret, base64url, as parameter `sig`. */
export function captiveText({ mac, ip, nonce, url }: EdgeCaptiveQuery): string {
  return `yunxun-captive\n${mac}\n${ip}\n${nonce}\n${url}\n`;
}

/** Lets a client in for `seconds` (null: until revoked); a later grant replaces an earlier one. */
export type EdgeCaptiveParams =
  | { tool: 'captive'; op: 'grant'; ticket: string; mac: string; seconds: number | null }
  /** Does nothing if another ticket let the client in. */
  | { tool: 'captive'; op: 'revoke'; ticket: string; mac: string };

/** Only while the configuration has captive networks. */
export interface EdgeCaptiveState {
  guests: readonly EdgeCaptiveGuest[];
}

export interface EdgeCaptiveGuest {
  ticket: string;
  mac: string;
  /** Unix seconds; null: no limit. */
  until: number | null;
  /** IP bytes since the grant: `rx` from the client, `tx` to it. */
  rx_bytes: number;
  tx_bytes: number;
}

/** `port`: the redirector's. `url`: maximum characters in the query. */
export const edgeCaptiveLimits = {
  garden: 64,
  exempt: 256,
  guests: 2000,
  seconds: 366 * 86_400,
  port: 3998,
  url: 300,
} as const;

export const captiveForms = {
  ticket: /^[\w-]{8,64}$/,
  secret: /^[\w-]{32,64}$/,
  nonce: /^[\w-]{22}$/,
  page: /^https?:\/\/[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[1-9]\d{0,4})?(\/[\w.-]{1,64}){1,8}$/,
} as const;
