import { isIPv4 } from 'node:net';
import type { PortalContent } from '@yunxun/contract';
import { loginPages } from './identity-providers/provider.ts';

const isName = (host: string) => /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/.test(host);

/** Returns lower case, each once, with those of identity providers. */
export function whitelistHosts({ whitelist, methods }: Pick<PortalContent, 'whitelist' | 'methods'>): string[] {
  const links = [...whitelist.map(({ link }) => link), ...methods.flatMap(loginPages)];
  const hosts = links.flatMap((link) => (URL.canParse(link) ? [new URL(link).hostname] : []));
  return [...new Set(hosts.filter((host) => isName(host) || isIPv4(host)))].toSorted();
}
