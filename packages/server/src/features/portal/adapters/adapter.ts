export interface Arrival {
  /** By the gateway's secret; else the visitor may have written them. */
  verified: boolean;
  mac: string | null;
  ip: string | null;
  client: string;
  origin: string | null;
  /** `device`: serial of the access point. */
  gateway: { address: string; name?: string; challenge?: string; device?: string };
  /** The gateway still has its earlier secret. */
  old?: true;
}

/** As it came over the wire. */
export interface RedirectRequest {
  url: string;
  host: string;
  query: URLSearchParams;
  mark?: string | undefined;
}

export interface Offer {
  ticket: string;
  credential: string;
  /** Address on the portal to come back to. */
  back: string;
}

/** By the guest's browser, by the gateway's poll, or as a command. */
export type Grant =
  | { by: 'browser'; url: string; counts: 'at_once' | 'by_radius' }
  | { by: 'poll'; gatewayHash: string; rhid: string }
  | { by: 'command' };

export interface PortalAdapter {
  /** Last part of the address that it sends guests to. */
  path: string;
  /** How it reports sessions; null: not at all. */
  reportsBy: 'agent' | 'accounting' | 'polling' | null;
  /** @returns null if a field is missing, malformed or not vouched for */
  arrival(request: RedirectRequest, secret: string): Arrival | null;
  grant(arrival: Arrival, offer: Offer, secret: string): Grant;
  /** The gateway ends and extends grants when the console orders it. */
  takesOrders: boolean;
  /** Address at the gateway; null if it has none. */
  signOut(arrival: Arrival): string | null;
}

const privateV4 = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.)/;
const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Accepts a private IPv4 or openNDS' own name: no forger can redirect elsewhere. */
export function isGatewayAddress(text: string): boolean {
  const [host = '', port, ...more] = text.split(':');
  if (more.length > 0 || (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)))
    return false;
  if (host === 'status.client') return true;
  const parts = octets.exec(host);
  return (parts?.slice(1).every((part) => Number(part) < 256) && privateV4.test(host)) ?? false;
}

export const isIpv4 = (text: string): boolean =>
  octets.test(text) && text.split('.').every((part) => Number(part) < 256);

export function macOf(text: string): string | null {
  const hex = text.toLowerCase().replace(/[:.-]/g, '');
  return /^[0-9a-f]{12}$/.test(hex) ? hex.match(/../g)!.join(':') : null;
}

/** Returns null unless http or https of usable length. */
export function webAddress(text: string): string | null {
  if (text.length > 500 || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
