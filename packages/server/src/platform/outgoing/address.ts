import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalid } from '../failure.ts';

export class PrivateAddress extends Error {}

const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** RFC 6052: ends with the target. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];

/**
 * Returns true for all but public unicast. Judges the IPv4 address in mapped and NAT64 forms, refuses 6to4 and Teredo.
 */
export function isPrivateAddress(text: string): boolean {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.range() !== 'unicast';
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(-4)).range() !== 'unicast';
  return !address.match(globalUnicast) || address.range() !== 'unicast';
}

/**
 * Resolves addresses; connect to these only: a second lookup may differ.
 * @throws PrivateAddress if any is private; the resolver's error
 */
export async function publicAddresses(host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }];
  if (addresses.some(({ address }) => isPrivateAddress(address))) throw new PrivateAddress(host);
  return addresses;
}

/** Returns IPv6 without brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/**
 * Refuses private addresses and localhost (RFC 6761); other names are judged at connecting. @throws Invalid
 */
export function refusePrivateHost(field: string, host: string, key = 'validation.privateTarget'): void {
  const isPrivate = isIP(host) === 0 ? /^(.+\.)?localhost\.?$/i.test(host) : isPrivateAddress(host);
  if (isPrivate) invalid(field, key);
}
