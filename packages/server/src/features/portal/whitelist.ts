import type { PortalContent } from '@yunxun/contract';
import { siteHostOf } from '@yunxun/contract/rules';
import { loginPages } from './identity-providers/provider.ts';

/** Returns lower case, each once, with those of identity providers. */
export function whitelistHosts({ whitelist, methods }: Pick<PortalContent, 'whitelist' | 'methods'>): string[] {
  const links = [...whitelist.map(({ link }) => link), ...methods.flatMap(loginPages)];
  return [...new Set(links.flatMap((link) => siteHostOf(link) ?? []))].toSorted();
}
