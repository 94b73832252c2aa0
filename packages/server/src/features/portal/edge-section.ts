import { isIP } from 'node:net';
import type { PortalContent } from '@yunxun/contract';
import { type EdgeCaptive, edgeCaptiveLimits } from '@yunxun/contract/device';
import type { SiteTable } from './tables.ts';
import { whitelistHosts } from './whitelist.ts';

/** No public authority certifies a name under one of them. */
const localEnds = new Set([
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
  'test',
]);

/** Clients ask the API only over HTTPS with a certificate that they trust (RFC 8908, section 4.1). */
export function hasPublicName(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  const labels = hostname.split('.');
  return protocol === 'https:' && isIP(hostname) === 0 && labels.length > 1 && !localEnds.has(labels.at(-1)!);
}

export function captiveSection(
  origin: string,
  { key, captive_lans, exempt_macs, exempt_addresses }: SiteTable,
  secret: string,
  content: PortalContent,
  {
    zone,
    namesClients,
  }: {
    /** The account's; null: the gateway cannot open its networks. */
    zone: string | null;
    namesClients: boolean;
  },
): EdgeCaptive {
  return {
    interfaces: captive_lans.toSorted(),
    page: `${origin}/p/${key}/edge`,
    secret,
    garden: whitelistHosts(content).slice(0, edgeCaptiveLimits.garden),
    exempt_macs: exempt_macs.toSorted(),
    exempt_addresses: exempt_addresses.toSorted(),
    ...(namesClients && hasPublicName(origin) ? { api: `${origin}/p/${key}/api` } : {}),
    ...(content.away === 'open' && zone !== null ? { away: { zone, hours: content.hours ?? [] } } : {}),
  };
}
