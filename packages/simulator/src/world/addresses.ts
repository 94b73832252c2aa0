import { simulatedSerialPrefix } from '@yunxun/contract/device';
import { hashOf } from './random.ts';

export function simulatedSerial(seed: string, index: number): string {
  const tail = (((hashOf(seed) & 0xfff) << 12) + index) % 0x100_0000;
  return simulatedSerialPrefix + tail.toString(16).padStart(6, '0');
}

/** Returns a locally administered MAC, unique per device and number. */
export function deviceMac(serial: string, number: number): string {
  return colons(`52${(number & 0xff).toString(16).padStart(2, '0')}4d${serial.slice(6)}`);
}

export function colons(digits: string): string {
  return digits.replace(/(..)(?=.)/g, '$1:');
}

const maxKnown = 10_000;
const known = new Map<string, string>();

/** Remembers: addresses recur in each report. */
export function linkLocal(mac: string): string {
  const before = known.get(mac);
  if (before !== undefined) return before;
  const bytes = mac.split(':').map((part) => Number.parseInt(part, 16));
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = bytes;
  const address = `fe80:0:0:0:${group(a ^ 2, b)}:${group(c, 0xff)}:${group(0xfe, d)}:${group(e, f)}`;
  if (known.size >= maxKnown) known.clear();
  known.set(mac, address);
  return address;
}

function group(high: number, low: number): string {
  return ((high << 8) | low).toString(16);
}

export function addressIn(subnet: string, offset: number): string | null {
  const [base = '', bits = ''] = subnet.split('/');
  const parts = base.split('.').map(Number);
  const length = Number(bits);
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255)) || !(length >= 8 && length <= 30)) {
    return null;
  }
  const number = parts.reduce((sum, part) => sum * 256 + part, 0);
  const size = 2 ** (32 - length);
  if (offset <= 0 || offset >= size - 1) return null;
  const address = Math.floor(number / size) * size + offset;
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
