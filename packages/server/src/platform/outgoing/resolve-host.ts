import { lookup, resolve4 } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const withinMs = 3000;

export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Leaves out loopback addresses, by which a hosts file may name its own machine. */
export const resolveHost: ResolveHost = async (host) => {
  if (isIPv4(host)) return [host];
  return Promise.race([resolved(host), delay(withinMs, [], { ref: false })]);
};

async function resolved(host: string): Promise<string[]> {
  const isElsewhere = (address: string) => !address.startsWith('127.');
  const found = await lookup(host, { all: true, family: 4 }).catch(() => []);
  const known = found.map(({ address }) => address).filter(isElsewhere);
  if (known.length > 0 || /(^|\.)localhost$/.test(host)) return known;
  return (await resolve4(host).catch(() => [])).filter(isElsewhere);
}
