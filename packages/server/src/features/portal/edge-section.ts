import type { PortalContent } from '@yunxun/contract';
import { type EdgeCaptive, edgeCaptiveLimits } from '@yunxun/contract/device';
import type { SiteTable } from './tables.ts';
import { whitelistHosts } from './whitelist.ts';

export function captiveSection(
  origin: string,
  { key, captive_lans, exempt_macs, exempt_addresses }: SiteTable,
  secret: string,
  content: PortalContent,
  /** The account's; null: the gateway cannot open its networks. */
  zone: string | null,
): EdgeCaptive {
  return {
    interfaces: captive_lans.toSorted(),
    page: `${origin}/p/${key}/edge`,
    secret,
    garden: whitelistHosts(content).slice(0, edgeCaptiveLimits.garden),
    exempt_macs: exempt_macs.toSorted(),
    exempt_addresses: exempt_addresses.toSorted(),
    ...(content.away === 'open' && zone !== null ? { away: { zone, hours: content.hours ?? [] } } : {}),
  };
}
