import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPrivate, readAddress } from '@yunxun/contract/ipv4';
import type { Clock } from '../../platform/clock.ts';

const refreshEvery = 600_000;

/** Resolves names in the background. Only public addresses of names count: gateways may see other private ones. */
export function createConsoleAddresses(
  hosts: readonly string[],
  clock: Pick<Clock, 'now'>,
  resolve: (host: string) => Promise<LookupAddress[]> = (host) => lookup(host, { all: true, family: 4 }),
): () => readonly string[] {
  const literal = hosts.filter((host) => isIP(host) === 4);
  const names = hosts.filter((host) => isIP(host) === 0);
  let resolved: string[] = [];
  let until = Number.NEGATIVE_INFINITY;
  async function refresh(): Promise<void> {
    const found = await Promise.all(names.map((name) => resolve(name).catch((): LookupAddress[] => [])));
    const isPublic = (text: string) => {
      const address = readAddress(text);
      return address !== null && !isPrivate(address);
    };
    resolved = found.flat().flatMap(({ address }) => (isPublic(address) ? [address] : []));
  }
  return () => {
    const now = clock.now().getTime();
    if (names.length > 0 && now >= until) {
      until = now + refreshEvery;
      void refresh();
    }
    return [...new Set([...literal, ...resolved])];
  };
}
