import { isIPv6 } from 'node:net';
import type { portal as contract, DataOf } from '@yunxun/contract';
import {
  type AddressRange,
  holds,
  networkText,
  readAddress,
  readAddressRange,
  readSubnet,
  type Subnet,
} from '@yunxun/contract/ipv4';
import { invalid } from '../../../platform/failure.ts';
import type { SiteTable } from '../tables.ts';

type Site = DataOf<(typeof contract)['site']>;
export type Captive = Site['site']['captive'];
export type CaptiveSsid = Site['edge']['ssids'][number];
type Lans = Site['edge']['lans'];

export interface CaptiveChoice {
  lans: Lans;
  ssids: CaptiveSsid[];
}

export type CaptiveColumns = Pick<
  SiteTable,
  | ('captive_lans' | 'captive_ssids' | 'captive_ssid_names' | 'range_lans' | 'ranges')
  | ('exempt_macs' | 'exempt_addresses' | 'remarked' | 'remarks')
>;

export const noCaptive: CaptiveColumns = {
  captive_lans: [],
  captive_ssids: [],
  captive_ssid_names: [],
  range_lans: [],
  ranges: [],
  exempt_macs: [],
  exempt_addresses: [],
  remarked: [],
  remarks: [],
};

export const captiveOf = (site: CaptiveColumns): Captive => ({
  lans: site.captive_lans,
  ranges: rangesOf(site),
  ssids: site.captive_ssids,
  exempt_macs: site.exempt_macs,
  exempt_addresses: site.exempt_addresses,
  exempt_remarks: site.remarked.map((device, at) => ({ device, remark: site.remarks[at]! })),
});

export const rangesOf = ({ range_lans: lans, ranges }: CaptiveColumns): Captive['ranges'] =>
  ranges.map((range, at) => ({ lan: lans[at]!, range }));

export function columnsOf(
  before: CaptiveColumns,
  given: Partial<Captive>,
  ssids: readonly CaptiveSsid[],
): CaptiveColumns {
  const {
    lans,
    ranges,
    ssids: ids,
    exempt_macs,
    exempt_addresses,
    exempt_remarks,
  } = { ...captiveOf(before), ...given };
  const kept = given.ranges ? ranges : ranges.filter(({ lan }) => lans.includes(lan));
  const addresses = [...new Set(exempt_addresses.map(plainAddress))];
  const exempt = new Set([...exempt_macs, ...addresses]);
  const remarks = new Map(exempt_remarks.map(({ device, remark }) => [plainAddress(device), remark]));
  const remarked = [...remarks].filter(([device]) => exempt.has(device));
  const earlier = new Map(before.captive_ssids.map((id, at) => [id, before.captive_ssid_names[at]!]));
  return {
    captive_lans: lans,
    captive_ssids: ids,
    captive_ssid_names: ids.map((id) => ssids.find((ssid) => ssid.id === id)?.name ?? earlier.get(id) ?? ''),
    range_lans: kept.map(({ lan }) => lan),
    ranges: kept.map(({ range }) => range.trim()),
    exempt_macs,
    exempt_addresses: addresses,
    remarked: remarked.map(([device]) => device),
    remarks: remarked.map(([, remark]) => remark),
  };
}

function plainAddress(text: string): string {
  return isIPv6(text) && !text.includes('%') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}

export function ssidChoice(
  ssids: readonly { id: string; name: string; vlan: number | null }[],
  lans: Lans,
): CaptiveSsid[] {
  return ssids.map(({ id, name, vlan }) => {
    const lan = vlan === null ? null : (lans.find((one) => one.vlan === vlan)?.name ?? null);
    return { id, name, vlan, lan, obstacle: vlan === null ? 'ssid_untagged' : lan === null ? 'ssid_no_lan' : null };
  });
}

export function capturedLans(
  { captive_lans: lans, captive_ssids: ids }: CaptiveColumns,
  ssids: readonly CaptiveSsid[],
): string[] {
  const ofSsids = ssids.flatMap(({ id, lan }) => (lan !== null && ids.includes(id) ? [lan] : []));
  return [...new Set([...lans, ...ofSsids])].toSorted();
}

export const needsRanges = ({ ranges, exempt_addresses: addresses }: CaptiveColumns): boolean =>
  ranges.length > 0 || addresses.some((text) => isIPv6(text));

const lies = ({ first, last }: AddressRange, subnet: Subnet | null): boolean =>
  subnet !== null && holds(subnet, first) && holds(subnet, last);

export function lostSsid({ captive_ssids: ids, captive_ssid_names: names }: CaptiveColumns, { ssids }: CaptiveChoice) {
  const lost = ids.findIndex((id) => !ssids.some((ssid) => ssid.id === id && ssid.lan !== null));
  return lost < 0 ? null : names[lost]!;
}

/** Returns a chosen SSID that moved to a LAN of which only ranges sign in. */
export function rangedSsid(site: CaptiveColumns, { ssids }: CaptiveChoice): string | null {
  const { captive_ssids: ids, range_lans: lans } = site;
  return ssids.find(({ id, lan }) => ids.includes(id) && lan !== null && lans.includes(lan))?.name ?? null;
}

export function strayRange(site: CaptiveColumns, { lans }: CaptiveChoice): string | null {
  const stray = rangesOf(site).find(({ lan, range }) => {
    const read = readAddressRange(range);
    return read === null || !lies(read, readSubnet(lans.find(({ name }) => name === lan)?.subnet));
  });
  return stray ? `${stray.range} (${stray.lan})` : null;
}

function isClientAddress(text: string): boolean {
  if (isIPv6(text)) return !text.includes('%') && /^([23][0-9a-f]{3}|f[cd][0-9a-f]{2}):/.test(text);
  const first = (readAddress(text) ?? 0) >>> 24;
  return first > 0 && first < 224 && first !== 127;
}

/** IEEE 802: the lowest bit of the first octet marks groups. */
const isClientMac = (mac: string) => /^[0-9a-f][02468ace]:/.test(mac) && mac !== '00:00:00:00:00:00';

/** @throws Invalid if the gateway cannot capture these */
export function checkCaptive(site: CaptiveColumns, choice: CaptiveChoice, hasRanges: boolean): void {
  const { captive_lans: lans, captive_ssids: ids } = site;
  if (lans.length + ids.length === 0) invalid('captive.lans', 'validation.required');
  const unknown = lans.find((name) => !choice.lans.some((lan) => lan.name === name));
  if (unknown !== undefined) invalid('captive.lans', 'validation.unknownLan', { name: unknown });
  checkSsids(ids, choice);
  checkRanges(site, choice, hasRanges);
  checkExempt('exempt_addresses', site, isClientAddress);
  const newer = hasRanges ? -1 : site.exempt_addresses.findIndex((text) => isIPv6(text));
  if (newer >= 0) invalid(`captive.exempt_addresses.${newer}`, 'validation.captiveRanges');
  checkExempt('exempt_macs', site, isClientMac);
}

function checkExempt<F extends 'exempt_macs' | 'exempt_addresses'>(
  field: F,
  { [field]: devices }: Pick<CaptiveColumns, F>,
  isClient: (device: string) => boolean,
): void {
  const at = devices.findIndex((device) => !isClient(device));
  if (at >= 0) invalid(`captive.${field}.${at}`, 'validation.exemptDevice', { device: devices[at]! });
}

function checkSsids(ids: readonly string[], { ssids }: CaptiveChoice): void {
  for (const [at, id] of ids.entries()) {
    const field = `captive.ssids.${at}`;
    const { name, vlan, obstacle } = ssids.find((one) => one.id === id) ?? invalid(field, 'validation.choice');
    if (obstacle === 'ssid_untagged') invalid(field, 'validation.ssidUntagged', { ssid: name });
    if (obstacle === 'ssid_no_lan') invalid(field, 'validation.ssidNoLan', { ssid: name, vlan: vlan ?? 0 });
  }
}

function checkRanges(site: CaptiveColumns, { lans, ssids }: CaptiveChoice, hasRanges: boolean): void {
  const read = rangesOf(site).map(({ lan, range }) => ({ lan, range, own: readAddressRange(range) }));
  if (read.length > 0 && !hasRanges) invalid('captive.ranges.0.range', 'validation.captiveRanges');
  for (const [at, { lan, range, own }] of read.entries()) {
    const field = `captive.ranges.${at}.range`;
    if (own === null) invalid(field, 'validation.addressRange', { range });
    if (!site.captive_lans.includes(lan)) invalid(field, 'validation.rangeLan', { lan });
    const whole = ssids.find((ssid) => ssid.lan === lan && site.captive_ssids.includes(ssid.id));
    if (whole) invalid(field, 'validation.rangeOfSsid', { lan, ssid: whole.name });
    const subnet = readSubnet(lans.find(({ name }) => name === lan)?.subnet);
    if (subnet === null) invalid(field, 'validation.subnetUnknown', { lan });
    if (!lies(own, subnet)) invalid(field, 'validation.rangeOutside', { range, lan, subnet: networkText(subnet) });
    const other = read
      .slice(0, at)
      .find((one) => one.lan === lan && one.own!.first <= own.last && own.first <= one.own!.last);
    if (other) invalid(field, 'validation.rangeOverlap', { range, other: other.range });
  }
}

export function exemptOf(
  site: (CaptiveColumns & Pick<SiteTable, 'enabled' | 'gateway'>) | null,
): Map<string, string | null> {
  if (!site?.enabled || site.gateway !== 'edge') return new Map();
  const remarks = new Map(site.remarked.map((device, at) => [device, site.remarks[at]!]));
  return new Map(
    [...site.exempt_macs, ...site.exempt_addresses].map((device) => [device, remarks.get(device) ?? null]),
  );
}
