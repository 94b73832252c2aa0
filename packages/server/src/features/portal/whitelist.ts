import type { PortalContent } from '@yunxun/contract';
import { siteHostOf } from '@yunxun/contract/rules';
import { methodNamed } from './methods/index.ts';

/** Returns lower case, each once, with those of identity providers. */
export function whitelistHosts({ whitelist, methods }: Pick<PortalContent, 'whitelist' | 'methods'>): string[] {
  const links = [
    ...whitelist.map(({ link }) => link),
    ...methods.flatMap((method) => methodNamed(method.kind)?.opens?.(method) ?? []),
  ];
  return [...new Set(links.flatMap((link) => siteHostOf(link) ?? []))].toSorted();
}
