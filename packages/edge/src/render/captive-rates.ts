import { asList, asNumber, asRecord, asText } from '@yunxun/contract/device';
import { mac, quotedDevice, device as safe, whole } from './encode.ts';

/**
 * Limits each guest by its MAC where it is visible: frames from the LAN at ingress, frames to it at egress (Linux
 * 5.16). This covers all IPv4 and IPv6 addresses.
 */
const table = 'netdev yunxun_captive';
export const noRates = `table ${table}\ndelete table ${table}\n`;

export interface GuestRates {
  mac: string;
  /** 0: no limit. */
  upKbps: number;
  downKbps: number;
}

type Way = 'up' | 'down';
const ways: readonly Way[] = ['up', 'down'];

/** Bytes that pass at once beyond one second of the rate: two of the kernel's largest segments. */
const leastBurst = 131_072;

const isLimited = ({ upKbps, downKbps }: GuestRates) => upKbps > 0 || downKbps > 0;
const bytesOf = (guest: GuestRates, way: Way) => (way === 'up' ? guest.upKbps : guest.downKbps) * 125;
const limitName = (way: Way, of: string) => `${way}_${mac(of).replaceAll(':', '')}`;

const element = (verb: 'add' | 'delete', way: Way, of: string) =>
  `${verb} element ${table} ${way} { ${mac(of)} : "${limitName(way, of)}" }\n`;

function limitText(way: Way, of: string, bytes: number): string {
  const burst = Math.max(leastBurst, Math.floor(bytes / 4));
  return `add limit ${table} ${limitName(way, of)} { rate over ${whole(bytes)} bytes/second burst ${whole(burst)} bytes ; }\n`;
}

function ruleOf(way: Way): string {
  // a tagged frame is counted on its VLAN
  return `ether type != 8021q limit name ether ${way === 'up' ? 'saddr' : 'daddr'} map @${way} drop`;
}

// nft 1.0.6 lists no devices of chains: the name tells
const chainName = (way: Way, device: string) => `${way}_${safe(device)}`;

const hooks = { up: 'ingress', down: 'egress' } as const;

/** Replaces the table; empty without limits. */
export function ratesTable(devices: readonly string[], guests: readonly GuestRates[]): string {
  const limited = guests.filter(isLimited);
  if (limited.length === 0 || devices.length === 0) return '';
  const chains = devices.flatMap((device) =>
    ways.map(
      (way) =>
        `\tchain ${chainName(way, device)} {\n\t\ttype filter hook ${hooks[way]} device ${quotedDevice(device)} priority 0; policy accept;\n\t\t${ruleOf(way)}\n\t}\n`,
    ),
  );
  const maps = ways.map((way) => `\tmap ${way} {\n\t\ttype ether_addr : limit\n\t}\n`);
  return `${noRates}table ${table} {\n${maps.join('')}${chains.join('')}}\n${limited.map(added).join('')}`;
}

function added(guest: GuestRates): string {
  return ways
    .filter((way) => bytesOf(guest, way) > 0)
    .map((way) => limitText(way, guest.mac, bytesOf(guest, way)) + element('add', way, guest.mac))
    .join('');
}

/** Changes one guest in a table that is there. */
export function rateChange(guest: GuestRates): string {
  // the kernel deletes only present elements, and keeps the rate of a present limit
  const without = ways.map(
    (way) =>
      limitText(way, guest.mac, leastBurst) +
      element('add', way, guest.mac) +
      element('delete', way, guest.mac) +
      `delete limit ${table} ${limitName(way, guest.mac)}\n`,
  );
  return without.join('') + added(guest);
}

const units: Readonly<Record<string, number>> = { bytes: 1, kbytes: 1024, mbytes: 1024 ** 2 };

/** Returns the limits in the output of `nft -j list table`, for comparison. */
export function limitsIn(listed: unknown): string[] {
  const { nftables } = asRecord<{ nftables: unknown }>(listed);
  return asList(nftables)
    .flatMap((entry) => {
      const { limit, map, chain } = asRecord<Record<'limit' | 'map' | 'chain', unknown>>(entry);
      const { name, rate, rate_unit: unit, elem } = asRecord<Record<string, unknown>>(limit ?? map ?? chain);
      if (limit !== undefined) return [`${String(name)} ${(asNumber(rate) ?? 0) * (units[String(unit)] ?? 0)}`];
      if (chain !== undefined) return [`chain ${String(name)}`];
      return asList(elem).map((pair) => `${String(name)} ${asText(asList(pair)[0], 17) ?? ''}`);
    })
    .toSorted();
}

/** Returns the limits that `limitsIn` finds in the table of `ratesTable`. */
export function wantedLimits(devices: readonly string[], guests: readonly GuestRates[]): string[] {
  const limited = guests.filter(isLimited);
  if (limited.length === 0 || devices.length === 0) return [];
  const chains = devices.flatMap((device) => ways.map((way) => `chain ${chainName(way, device)}`));
  const limits = limited.flatMap((guest) =>
    ways
      .filter((way) => bytesOf(guest, way) > 0)
      .flatMap((way) => [`${limitName(way, guest.mac)} ${bytesOf(guest, way)}`, `${way} ${guest.mac}`]),
  );
  return [...chains, ...limits].toSorted();
}
