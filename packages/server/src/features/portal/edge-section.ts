import { isIP, isIPv6 } from 'node:net';
import type { PortalContent } from '@yunxun/contract';
import { type EdgeCaptive, edgeCaptiveLimits } from '@yunxun/contract/device';
import { dotted, readAddressRange } from '@yunxun/contract/ipv4';
import { rangesOf } from './captive/range.ts';
import type { SiteTable } from './tables.ts';
import { sells, whitelistHosts } from './whitelist.ts';

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
  site: SiteTable,
  lans: readonly string[],
  secret: string,
  content: PortalContent,
  {
    zone,
    namesClients,
    payHosts,
  }: {
    /** The account's; null: the gateway cannot open its networks. */
    zone: string | null;
    namesClients: boolean;
    payHosts: readonly string[];
  },
): EdgeCaptive {
  const { key, exempt_macs, exempt_addresses } = site;
  const [addresses, addresses6] = [
    exempt_addresses.filter((text) => !isIPv6(text)),
    exempt_addresses.filter((text) => isIPv6(text)),
  ];
  const ranges = rangesOf(site).flatMap(({ lan, range }) => {
    const read = lans.includes(lan) ? readAddressRange(range) : null;
    return read ? [{ interface: lan, first: dotted(read.first), last: dotted(read.last) }] : [];
  });
  return {
    interfaces: lans.toSorted(),
    page: `${origin}/p/${key}/edge`,
    secret,
    garden: whitelistHosts(content).slice(0, edgeCaptiveLimits.garden),
    exempt_macs: exempt_macs.toSorted(),
    exempt_addresses: addresses.toSorted(),
    ...(addresses6.length > 0 ? { exempt_ipv6: addresses6.toSorted() } : {}),
    ...(ranges.length > 0 ? { ranges } : {}),
    ...(sells(content) && payHosts.length > 0 ? { pay: payHosts.slice(0, edgeCaptiveLimits.pay) } : {}),
    ...(namesClients && hasPublicName(origin) ? { api: `${origin}/p/${key}/api` } : {}),
    ...(content.away === 'open' && zone !== null ? { away: { zone, hours: content.hours ?? [] } } : {}),
  };
}
