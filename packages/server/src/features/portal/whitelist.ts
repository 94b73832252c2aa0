import { isIPv4 } from 'node:net';
import type { PortalContent } from '@yunxun/contract';
import { probeUnder } from '@yunxun/contract/probe-hosts';
import { siteHostOf } from '@yunxun/contract/rules';
import { methodNamed } from './methods/index.ts';

export function whitelistHosts({ whitelist, methods }: Pick<PortalContent, 'whitelist' | 'methods'>): string[] {
  const links = [
    ...whitelist.map(({ link }) => link),
    ...methods.flatMap((method) => methodNamed(method.kind)?.opens?.(method) ?? []),
  ];
  const hosts = links.flatMap((link) => siteHostOf(link) ?? []).filter((host) => probeUnder(host) === null);
  return [...new Set(hosts)].toSorted();
}

export const sells = ({ methods }: Pick<PortalContent, 'methods'>): boolean =>
  methods.some(({ kind }) => kind === 'purchase');

export function payHostsOf(hosts: readonly string[], consoleUrl: string): string[] {
  const own = siteHostOf(consoleUrl);
  const all = [...hosts, ...(own === null || isIPv4(own) ? [] : [own])];
  return [...new Set(all)].filter((host) => probeUnder(host) === null).toSorted();
}

export function openPayHosts(
  content: Pick<PortalContent, 'methods'>,
  { pay_hosts: isOpen }: { pay_hosts: boolean },
  payHosts: readonly string[],
): readonly string[] {
  return isOpen && sells(content) ? payHosts : [];
}
