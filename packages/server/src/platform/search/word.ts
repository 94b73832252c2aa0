import { broadcastOf, dotted, networkOf, readSubnet, type Subnet } from '@yunxun/contract/ipv4';

/** Texts from `from` on and before `before`, compared by bytes. */
export interface TextRange {
  from: string;
  before: string;
}

/** What a person typed into the search, with what it may mean. */
export interface SearchWord {
  /** As typed, without spaces around it. */
  text: string;
  /** Its hexadecimal digits, where it may be a MAC address or a part of one in any notation. */
  digits: string | null;
  /** Ranges of texts that hold the addresses it means: an address, the beginning of one, or an IPv4 network. */
  addresses: readonly TextRange[] | null;
}

/** Reads a search word. Null: it holds nothing to search for. */
export function readWord(keyword: string): SearchWord | null {
  // control characters are in no name, and a line break separates fields in the index
  const text = keyword.replace(/\p{Cc}/gu, '').trim();
  return text === '' ? null : { text, digits: macDigits(text), addresses: addressRanges(text) };
}

/**
 * The digits of a MAC address or a part of one: `AA:BB`, `aa-bb-cc`, `aabb.ccdd`, `aabb-ccdd`, `aabbcc`. Three digits at
 * least. With dots one group has four digits: `10.0.3` is an address.
 */
function macDigits(text: string): string | null {
  if (!/^[:.-]?[0-9a-f]{1,4}([:.-][0-9a-f]{1,4})*[:.-]?$/i.test(text) && !/^[0-9a-f]{1,12}$/i.test(text)) return null;
  if (text.includes('.') && !text.split('.').some((group) => group.length === 4)) return null;
  const digits = text.replace(/[:.-]/g, '').toLowerCase();
  return digits.length >= 3 && digits.length <= 12 ? digits : null;
}

/** Texts that begin with one, except those that continue with the last code point, which no name holds. */
export const startingWith = (start: string): TextRange => ({ from: start, before: `${start}\u{10FFFF}` });
/** No character comes before this one. */
const exactly = (text: string): TextRange => ({ from: text, before: `${text}\u0001` });

function addressRanges(text: string): TextRange[] | null {
  const subnet = readSubnet(text);
  if (subnet) return rangesOf(subnet);
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return [exactly(text)];
  // the beginning of an IPv4 address from its first dot on, or of an IPv6 one, which MAC addresses are not
  if (/^(\d{1,3}\.[\d.]{0,11}|[0-9a-f]{3,4}:[0-9a-f:]{0,35})$/i.test(text)) return [startingWith(text.toLowerCase())];
  return null;
}

/**
 * An IPv4 network as beginnings of addresses: of the octet in which its prefix ends there are at most 128 values. Null
 * for one larger than /8, which is no search.
 */
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
