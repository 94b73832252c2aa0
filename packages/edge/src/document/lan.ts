import { edgeLimits } from '@yunxun/contract/device';
import {
  clash,
  dhcpClientPort,
  dotted,
  holdsPort,
  isHost,
  isUnicast,
  networkOf,
  networkText,
  type Subnet,
  shiftedPorts,
} from '@yunxun/contract/ipv4';
import type { Network, PortForward, StaticLease } from './document.ts';
import { type DocumentErrors, quote } from './errors.ts';
import type { Facts } from './facts.ts';
import type { ShapedIpv4 } from './shape.ts';

/** Seconds, as in uCentral. */
const usualLease = 6 * 3600;

/** Accepts `lease-first` as offset, `lease-start` as address. */
export function readPool(
  { dhcp }: ShapedIpv4,
  subnet: Subnet,
  path: string,
  facts: Facts,
  errors: DocumentErrors,
): Network['dhcp'] {
  if (!dhcp) return null;
  const at = `${path}/dhcp`;
  if (!facts.abilities.dnsmasq) errors.error(at, 'this gateway has no dnsmasq');
  const { 'lease-first': offset, 'lease-count': count, 'lease-start': start, 'lease-end': end } = dhcp;
  const counted = offset !== undefined || count !== undefined;
  const bounded = start !== undefined || end !== undefined;
  if (counted && bounded) {
    errors.error(at, 'has both lease-first and lease-start: one of them');
    return null;
  }
  for (const key of bounded ? (['lease-start', 'lease-end'] as const) : (['lease-first', 'lease-count'] as const))
    if (dhcp[key] === undefined) errors.error(`${at}/${key}`, 'is missing');
  const first = bounded ? start : offset === undefined ? undefined : networkOf(subnet) + offset;
  const last = bounded ? end : first === undefined || count === undefined ? undefined : first + count - 1;
  if (first === undefined || last === undefined) return null;
  checkPool(subnet, first, last, at, errors);
  const dns = dhcp['use-dns'] ?? [];
  for (const server of dns)
    if (!isUnicast(server)) errors.error(`${at}/use-dns`, `${dotted(server)} is not a host address`);
  return { first, last, leaseS: dhcp['lease-time'] ?? usualLease, dns };
}

function checkPool(subnet: Subnet, first: number, last: number, path: string, errors: DocumentErrors): void {
  if (last < first) errors.error(path, 'the last lease is below the first');
  else if (!isHost(subnet, first) || !isHost(subnet, last))
    errors.error(
      path,
      `leases from ${dotted(first % 2 ** 32)} to ${dotted(last % 2 ** 32)} do not lie in ${networkText(subnet)}`,
    );
  else if (subnet.address >= first && subnet.address <= last)
    errors.error(path, `the leases hold ${dotted(subnet.address)}, the address of this gateway`);
}

export function readLeases(ipv4: ShapedIpv4, subnet: Subnet, path: string, errors: DocumentErrors): StaticLease[] {
  const entries = ipv4['dhcp-leases'] ?? [];
  if (entries.length > 0 && !ipv4.dhcp) errors.error(`${path}/dhcp-leases`, 'needs dhcp on the same interface');
  const macs = new Set<string>();
  const addresses = new Set<number>();
  return entries.flatMap((entry, index) => {
    const at = `${path}/dhcp-leases/${index}`;
    const { macaddr: mac, 'static-lease-offset': offset } = entry;
    if (mac === undefined || offset === undefined) return [];
    const address = networkOf(subnet) + offset;
    if (!isHost(subnet, address))
      errors.error(`${at}/static-lease-offset`, `${offset} lies beyond ${networkText(subnet)}`);
    else if (address === subnet.address)
      errors.error(`${at}/static-lease-offset`, `${dotted(address)} is the address of this gateway`);
    else if (addresses.has(address))
      errors.error(`${at}/static-lease-offset`, `${dotted(address)} is kept for another terminal already`);
    if (macs.has(mac)) errors.error(`${at}/macaddr`, `${quote(mac)} has an address here already`);
    macs.add(mac);
    addresses.add(address);
    const leaseS = entry['lease-time'] ?? ipv4.dhcp?.['lease-time'] ?? usualLease;
    return [{ mac, address, leaseS, publish: entry['publish-hostname'] ?? true }];
  });
}

export function readForwards(ipv4: ShapedIpv4, subnet: Subnet, path: string, errors: DocumentErrors): PortForward[] {
  return (ipv4['port-forward'] ?? []).flatMap((entry, index) => {
    const at = `${path}/port-forward/${index}`;
    const { 'external-port': external, 'internal-address': address, 'internal-port': internal = external } = entry;
    if (!external || !internal || address === undefined) return [];
    const protocol = entry.protocol ?? 'any';
    if (!isHost(subnet, address))
      errors.error(`${at}/internal-address`, `${dotted(address)} is not a host address in ${networkText(subnet)}`);
    else if (address === subnet.address)
      errors.error(`${at}/internal-address`, `${dotted(address)} is the address of this gateway`);
    const length = external.last - external.first + 1;
    if (internal.last - internal.first + 1 !== length)
      errors.error(`${at}/internal-port`, 'must be as many ports as external-port');
    else if (length > shiftedPorts && internal.first !== external.first)
      errors.error(`${at}/internal-port`, `at most ${shiftedPorts} ports can have other numbers inside`);
    return [{ protocol, external, address, internal: internal.first }];
  });
}

export function checkForwards(networks: readonly Network[], sshPort: number | null, errors: DocumentErrors): void {
  const all = networks.flatMap(({ index, forwards }) =>
    forwards.map((forward, position) => ({ ...forward, at: `/interfaces/${index}/ipv4/port-forward/${position}` })),
  );
  if (all.length > edgeLimits.portForwards)
    errors.error('/interfaces', `at most ${edgeLimits.portForwards} ports can be forwarded`);
  for (const [position, one] of all.entries()) {
    const forwarded = { ...one.external, protocol: one.protocol };
    if (one.protocol !== 'tcp' && holdsPort(forwarded, dhcpClientPort))
      errors.error(`${one.at}/external-port`, `udp port ${dhcpClientPort} is used by the DHCP client of this gateway`);
    if (one.protocol !== 'udp' && sshPort !== null && holdsPort(forwarded, sshPort))
      errors.error(`${one.at}/external-port`, `tcp port ${sshPort} is the SSH port of this gateway`);
    const other = all.slice(0, position).find(({ protocol, external }) => clash({ ...external, protocol }, forwarded));
    if (other) errors.error(`${one.at}/external-port`, `is forwarded by ${other.at} already`);
  }
}
