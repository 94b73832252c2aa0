import { isIPv4 } from 'node:net';
import type { Attribute, Packet } from './packet.ts';

type Kind = 'text' | 'integer' | 'ipv4' | 'bytes';

/** RFC 2865, 2866, 2869, 3162, 5176, 6911. */
const standard = {
  'User-Name': [1, 'text'],
  'User-Password': [2, 'bytes'],
  'CHAP-Password': [3, 'bytes'],
  'NAS-IP-Address': [4, 'ipv4'],
  'Service-Type': [6, 'integer'],
  'Framed-IP-Address': [8, 'ipv4'],
  Class: [25, 'bytes'],
  'Session-Timeout': [27, 'integer'],
  'Called-Station-Id': [30, 'text'],
  'Calling-Station-Id': [31, 'text'],
  'NAS-Identifier': [32, 'text'],
  'Proxy-State': [33, 'bytes'],
  'Acct-Status-Type': [40, 'integer'],
  'Acct-Delay-Time': [41, 'integer'],
  'Acct-Input-Octets': [42, 'integer'],
  'Acct-Output-Octets': [43, 'integer'],
  'Acct-Session-Id': [44, 'text'],
  'Acct-Session-Time': [46, 'integer'],
  'Acct-Terminate-Cause': [49, 'integer'],
  'Acct-Input-Gigawords': [52, 'integer'],
  'Acct-Output-Gigawords': [53, 'integer'],
  'Event-Timestamp': [55, 'integer'],
  'CHAP-Challenge': [60, 'bytes'],
  'Message-Authenticator': [80, 'bytes'],
  'Acct-Interim-Interval': [85, 'integer'],
  'Framed-IPv6-Address': [168, 'bytes'],
} as const satisfies Record<string, readonly [type: number, kind: Kind]>;

/** Private enterprise numbers and attributes, as published; Microsoft's: RFC 2548. */
const vendors = {
  Microsoft: {
    id: 311,
    attributes: {
      'CHAP-Error': [2, 'bytes'],
      'CHAP-Challenge': [11, 'bytes'],
      'CHAP2-Response': [25, 'bytes'],
      'CHAP2-Success': [26, 'bytes'],
    },
  },
  WISPr: { id: 14122, attributes: { 'Bandwidth-Max-Up': [7, 'integer'], 'Bandwidth-Max-Down': [8, 'integer'] } },
  ChilliSpot: {
    id: 14559,
    attributes: {
      'Bandwidth-Max-Up': [4, 'integer'],
      'Bandwidth-Max-Down': [5, 'integer'],
      'Max-Total-Octets': [3, 'integer'],
    },
  },
  MikroTik: {
    id: 14988,
    attributes: { 'Rate-Limit': [8, 'text'], 'Total-Limit': [17, 'integer'], 'Total-Limit-Gigawords': [18, 'integer'] },
  },
} as const satisfies Record<string, { id: number; attributes: Record<string, readonly [type: number, kind: Kind]> }>;

type Vendors = typeof vendors;
type VendorAttributeName = { [V in keyof Vendors]: `${V}-${keyof Vendors[V]['attributes'] & string}` }[keyof Vendors];

const vendorAttributes = new Map<string, { vendor: number; type: number; kind: Kind }>(
  Object.entries(vendors).flatMap(([vendor, { id, attributes }]) =>
    Object.entries(attributes).map(
      ([name, [type, kind]]) => [`${vendor}-${name}`, { vendor: id, type, kind }] as const,
    ),
  ),
);

export type StandardName = keyof typeof standard;

const vendorSpecific = 26;

export const typeOf = (name: StandardName): number => standard[name][0];

export function bytesOf(packet: Packet, name: StandardName): Buffer | null {
  const type = typeOf(name);
  return packet.attributes.find((one) => one.type === type)?.value ?? null;
}

/** Drops NUL, which PostgreSQL refuses; null if empty. */
export function textOf(packet: Packet, name: StandardName): string | null {
  return bytesOf(packet, name)?.toString('utf8').replaceAll('\0', '') || null;
}

export function integerOf(packet: Packet, name: StandardName): number | null {
  const value = bytesOf(packet, name);
  return value?.length === 4 ? value.readUInt32BE() : null;
}

export function addressOf(packet: Packet): string | null {
  const four = bytesOf(packet, 'Framed-IP-Address');
  if (four?.length === 4) return [...four].join('.');
  const six = bytesOf(packet, 'Framed-IPv6-Address');
  if (six?.length !== 16) return null;
  const groups = Array.from({ length: 8 }, (_, at) => six.readUInt16BE(2 * at).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Returns the first value; an attribute may hold several of its vendor (RFC 2865, section 5.26). */
export function vendorBytesOf({ attributes }: Packet, name: VendorAttributeName): Buffer | null {
  const { vendor, type } = vendorAttributes.get(name)!;
  for (const { type: outer, value } of attributes) {
    if (outer !== vendorSpecific || value.length < 6 || value.readUInt32BE() !== vendor) continue;
    for (let at = 4; at + 2 <= value.length; ) {
      const length = value[at + 1]!;
      if (length < 2 || at + length > value.length) break;
      if (value[at] === type) return value.subarray(at + 2, at + length);
      at += length;
    }
  }
  return null;
}

/** @throws RangeError for an invalid address */
export function attribute(name: StandardName, value: Buffer | string | number): Attribute {
  const [type, kind] = standard[name];
  return { type, value: encodeValue(kind, value) };
}

export function vendorAttribute(name: VendorAttributeName, value: Buffer | string | number): Attribute {
  const { vendor, type, kind } = vendorAttributes.get(name)!;
  const inner = encodeValue(kind, value);
  const head = Buffer.alloc(6);
  head.writeUInt32BE(vendor);
  head[4] = type;
  head[5] = 2 + inner.length;
  return { type: vendorSpecific, value: Buffer.concat([head, inner]) };
}

function encodeValue(kind: Kind, value: Buffer | string | number): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (kind === 'ipv4') {
    if (!isIPv4(String(value))) throw new RangeError('no IPv4 address');
    return Buffer.from(String(value).split('.').map(Number));
  }
  if (kind !== 'integer') return Buffer.from(String(value));
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.min(Math.max(0, Math.trunc(Number(value))), 0xffff_ffff));
  return bytes;
}
