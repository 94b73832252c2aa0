import { isIPv4 } from 'node:net';
import type { PortalContent } from '@yunxun/contract';

const isName = (host: string) => /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/.test(host);

/** Returns lower case, each once. */
export function whitelistHosts({ whitelist }: Pick<PortalContent, 'whitelist'>): string[] {
  const hosts = whitelist.flatMap(({ link }) => (URL.canParse(link) ? [new URL(link).hostname] : []));
  return [...new Set(hosts.filter((host) => isName(host) || isIPv4(host)))].toSorted();
}
