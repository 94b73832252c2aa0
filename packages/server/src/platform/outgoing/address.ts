import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const privateNetworks = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
]) {
  const [address, prefix] = network.split('/') as [string, string];
  privateNetworks.addSubnet(address, Number(prefix), 'ipv4');
}
for (const network of [
  ...['::/127', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
]) {
  const [address, prefix] = network.split('/') as [string, string];
  privateNetworks.addSubnet(address, Number(prefix), 'ipv6');
}

export class PrivateAddress extends Error {}

/**
 * Resolves addresses; connect to these only: a second lookup may differ.
 * @throws PrivateAddress if any is private; the resolver's error
 */
export async function publicAddresses(host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }];
  const isPrivate = (one: LookupAddress) => privateNetworks.check(one.address, one.family === 6 ? 'ipv6' : 'ipv4');
  if (addresses.some(isPrivate)) throw new PrivateAddress(host);
  return addresses;
}
