import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { edgeCheckLimits } from '@yunxun/contract/device';
import { holds, isHost, isUnicast, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import type { Layout } from '../measure/layout.ts';
import { CheckFailed, wordOf } from './check-errors.ts';

export interface OwnAddress {
  device: string;
  address: string;
  cidr: string | null;
}

export interface CheckBounds {
  own: readonly OwnAddress[];
  lans: ReadonlySet<string>;
  console: readonly string[];
}

export interface CheckedAddress {
  address: string;
  isLan: boolean;
}

/** RFC 1918, RFC 6598: reachable as own LANs alone. */
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'].map(
  (text) => readSubnet(text)!,
);

const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const embedding6 = new BlockList();
// Teredo, 6to4
embedding6.addSubnet('2001::', 32, 'ipv6');
embedding6.addSubnet('2002::', 16, 'ipv6');

/** Returns null for an address that is neither in the Internet nor of another host of an own LAN. */
export function checkAddress(text: string, { own, lans, console }: CheckBounds): CheckedAddress | null {
  const mine = new BlockList();
  for (const address of [...own.map((one) => one.address), ...console]) {
    const family = isIP(address);
    if (family !== 0) mine.addAddress(address, family === 6 ? 'ipv6' : 'ipv4');
  }
  if (isIP(text) === 6) {
    const isAllowed = global6.check(text, 'ipv6') && !embedding6.check(text, 'ipv6') && !mine.check(text, 'ipv6');
    return isAllowed ? { address: text, isLan: false } : null;
  }
  const address = readAddress(text);
  if (address === null || !isUnicast(address) || mine.check(text, 'ipv4')) return null;
  const near = own.flatMap(({ device, cidr }) => {
    const subnet = readSubnet(cidr);
    return subnet !== null && holds(subnet, address) ? [{ subnet, isLan: lans.has(device) }] : [];
  });
  if (!near.every(({ subnet }) => isHost(subnet, address))) return null;
  if (near.some(({ isLan }) => isLan)) return { address: text, isLan: true };
  return privateRanges.some((range) => holds(range, address)) ? null : { address: text, isLan: false };
}

export type Resolve = (host: string) => Promise<CheckedAddress>;

/**
 * Resolves a host once; the caller connects to the address that was checked.
 * @returns a function that throws CheckFailed
 */
export function checkedResolve({
  layout,
  origins,
  lookup = systemLookup as LookupFunction,
  own = ownAddresses(),
  ipv4Only,
}: {
  layout: Layout;
  origins: readonly string[];
  lookup?: LookupFunction | undefined;
  own?: readonly OwnAddress[];
  ipv4Only: boolean;
}): Resolve {
  const lans = new Set(layout.interfaces.flatMap(({ role, device }) => (role === 'downstream' ? [device] : [])));
  let ofConsole: Promise<string[]> | undefined;
  return async (host) => {
    ofConsole ??= Promise.all(
      origins.map((origin) => addressesOf(bare(new URL(origin).hostname), lookup).catch(() => [])),
    ).then((lists) => lists.flat());
    const found = await addressesOf(host, lookup);
    const bounds: CheckBounds = { own, lans, console: await ofConsole };
    for (const address of found) {
      if (ipv4Only && isIP(address) === 6) continue;
      const allowed = checkAddress(address, bounds);
      if (allowed !== null) return allowed;
    }
    throw new CheckFailed('forbidden', found[0] ?? null);
  };
}

export const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

function addressesOf(host: string, lookup: LookupFunction): Promise<string[]> {
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CheckFailed('no_dns', null)), edgeCheckLimits.dnsMs);
    lookup(host, { all: true }, (error, answer) => {
      clearTimeout(timer);
      if (error) reject(new CheckFailed(wordOf(error), null));
      else resolve(typeof answer === 'string' ? [answer] : answer.map(({ address }) => address));
    });
  });
}

function ownAddresses(): OwnAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([device, all]) =>
    (all ?? []).map(({ address, cidr }) => ({ device, address, cidr })),
  );
}
