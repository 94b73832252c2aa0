import { isIPv6 } from 'node:net';
import { broadcastOf, dotted, networkOf, readSubnet, type Subnet } from '@yunxun/contract/ipv4';
import { canonicalIp } from '../ip-address.ts';
import { macDigits } from './pattern.ts';

/** `from` inclusive, `before` exclusive, by bytes. */
export interface TextRange {
  from: string;
  before: string;
}

export interface SearchWord {
  text: string;
  /** Of a possible MAC, or part, in any notation. */
  digits: string | null;
  /** An address, a beginning, or an IPv4 network. */
  addresses: readonly TextRange[] | null;
}

export function readWord(keyword: string): SearchWord | null {
  // in no name; line breaks separate fields in the index
  const text = keyword.replace(/\p{Cc}/gu, '').trim();
  if (text === '') return null;
  const digits = macDigits(text);
  return { text, digits: digits && digits.length >= 3 ? digits : null, addresses: addressRanges(text) };
}

/** Excludes the last code point, which no name has. */
export const startingWith = (start: string): TextRange => ({ from: start, before: `${start}\u{10FFFF}` });
/** No character precedes this. */
const exactly = (text: string): TextRange => ({ from: text, before: `${text}\u0001` });

function addressRanges(text: string): TextRange[] | null {
  if (isIPv6(text)) return [startingWith(canonicalIp(text)!)];
  const subnet = readSubnet(text);
  if (subnet) return rangesOf(subnet);
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return [exactly(text)];
  // IPv4 from its first dot on, or IPv6; no MAC
  if (/^(\d{1,3}\.[\d.]{0,11}|[0-9a-f]{3,4}:[0-9a-f:]{0,35})$/i.test(text)) return [startingWith(text.toLowerCase())];
  return null;
}

/** Returns beginnings: 128 at most for the split octet. Null above /8. */
function rangesOf(subnet: Subnet): TextRange[] | null {
  const { prefix } = subnet;
  if (prefix < 8) return null;
  const whole = Math.floor(prefix / 8);
  const [first, last] = [dotted(networkOf(subnet)).split('.'), dotted(broadcastOf(subnet)).split('.')];
  const start = first.slice(0, whole).map((octet) => `${octet}.`);
  if (prefix === 32) return [exactly(first.join('.'))];
  if (prefix % 8 === 0) return [startingWith(start.join(''))];
  const [low, high] = [Number(first[whole]), Number(last[whole])];
  return Array.from({ length: high - low + 1 }, (_, i) => `${start.join('')}${low + i}`).map((octets) =>
    whole === 3 ? exactly(octets) : startingWith(`${octets}.`),
  );
}
