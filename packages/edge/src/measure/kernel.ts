import { isIPv4, isIPv6 } from 'node:net';
import { asCount, asList, asRecord, asText, asTexts, normaliseMac } from '@yunxun/contract/device';

export interface OwnAddress {
  device: string;
  address: string;
  prefix: number;
  dynamic?: true;
}

export interface Neighbour {
  device: string;
  address: string;
  mac: string;
  confirmedS: number | null;
}

export interface Forwarding {
  mac: string;
  port: string;
  seenS: number | null;
}

export interface Gateway {
  device: string;
  address: string;
  metric: number;
}

export function readAddresses(text: string | null): OwnAddress[] {
  return entries(text).flatMap((link) => {
    const device = deviceOf(link.ifname);
    if (device === null) return [];
    return asList(link.addr_info).flatMap((entry) => {
      const { local, prefixlen, dynamic } = asRecord(entry);
      const address = addressOf(local);
      const prefix = asCount(prefixlen);
      if (address === null || prefix === null || prefix > (isIPv4(address) ? 32 : 128)) return [];
      return [dynamic === true ? { device, address, prefix, dynamic } : { device, address, prefix }];
    });
  });
}

export function readNeighbours(text: string | null): Neighbour[] {
  return entries(text).flatMap((entry) => {
    const device = deviceOf(entry.dev);
    const address = addressOf(entry.dst);
    const mac = normaliseMac(entry.lladdr);
    const states = asTexts(entry.state);
    if (device === null || address === null || mac === null || !isStation(mac)) return [];
    if (states.some((state) => state === 'FAILED' || state === 'INCOMPLETE' || state === 'NOARP')) return [];
    return [{ device, address, mac, confirmedS: states.includes('REACHABLE') ? 0 : asCount(entry.confirmed) }];
  });
}

export function readForwarding(text: string | null): Forwarding[] {
  return entries(text).flatMap((entry) => {
    const port = deviceOf(entry.ifname);
    const mac = normaliseMac(entry.mac);
    if (port === null || mac === null || !isStation(mac) || asText(entry.state) === 'permanent') return [];
    if (asText(entry.master) === null) return [];
    return [{ mac, port, seenS: asCount(entry.updated) }];
  });
}

export function readGateways(text: string | null): Gateway[] {
  return entries(text)
    .flatMap((entry) => {
      const device = deviceOf(entry.dev);
      const address = addressOf(entry.gateway);
      if (asText(entry.dst) !== 'default' || device === null || address === null) return [];
      return [{ device, address, metric: asCount(entry.metric) ?? 0 }];
    })
    .sort((a, b) => a.metric - b.metric);
}

export function isStation(mac: string): boolean {
  return (Number.parseInt(mac.slice(0, 2), 16) & 1) === 0 && mac !== '000000000000';
}

export function numberOf(address: string): bigint | null {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  if (!isIPv6(address) || address.includes('%') || address.includes('.')) return null;
  const [left = '', right] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [head, tail] = [groups(left), groups(right ?? '')];
  const middle = right === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...middle, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

export function isWithin(address: string, { address: own, prefix }: Pick<OwnAddress, 'address' | 'prefix'>): boolean {
  if (isIPv4(address) !== isIPv4(own)) return false;
  const [one, other] = [numberOf(address), numberOf(own)];
  if (one === null || other === null) return false;
  const host = BigInt((isIPv4(own) ? 32 : 128) - prefix);
  if (one >> host !== other >> host) return false;
  const last = (1n << host) - 1n;
  const rest = one & last;
  return !isIPv4(own) || host < 2n || (rest !== 0n && rest !== last);
}

function entries(text: string | null): Record<string, unknown>[] {
  if (text === null || text.trim() === '') return [];
  try {
    return asList(JSON.parse(text)).map((entry) => asRecord(entry));
  } catch {
    return [];
  }
}

const deviceOf = (value: unknown) => {
  const name = asText(value, 16);
  return name !== null && /^[^\s/]{1,15}$/.test(name) ? name : null;
};

const addressOf = (value: unknown) => {
  const text = asText(value, 64);
  return text !== null && numberOf(text) !== null ? text.toLowerCase() : null;
};
