import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalid } from '../failure.ts';

export class PrivateAddress extends Error {}

/** All that is assigned to hosts (IANA IPv6 Global Unicast). */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** NAT64 of providers (RFC 6052): the last 32 bits are the target. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];

/**
 * Returns whether an IP address may lead into a private network: everything but public unicast. Judges the IPv4 address
 * inside IPv4-mapped and NAT64 forms; refuses the other forms that carry one (6to4, Teredo).
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

/** Returns the host of a URL as resolvers take it: IPv6 without brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/**
 * Refuses a typed private address, and localhost (RFC 6761). Other names are judged when they are connected to, because
 * they may move. @throws Invalid
 */
export function refusePrivateHost(field: string, host: string, key = 'validation.privateTarget'): void {
  const isPrivate = isIP(host) === 0 ? /^(.+\.)?localhost\.?$/i.test(host) : isPrivateAddress(host);
  if (isPrivate) invalid(field, key);
}
