import { type Finding, shortText } from './finding.ts';

/** RFC 3418. */
const [sysObjectId, sysName] = ['1.3.6.1.2.1.1.2.0', '1.3.6.1.2.1.1.5.0'];
const tags = { integer: 0x02, text: 0x04, empty: 0x05, oid: 0x06, sequence: 0x30, get: 0xa0, response: 0xa2 } as const;
const enterprises = '1.3.6.1.4.1.';

interface Vendor {
  name: string;
  type: Finding['type'];
}

/** By private enterprise number (IANA); longest prefixes first. */
const vendors: readonly (readonly [prefix: string, vendor: Vendor])[] = [
  ['11.2.3.9', { name: 'HP', type: 'printer' }],
  ['11.2.3.7', { name: 'HP', type: 'switch' }],
  ['236.11.5', { name: 'Samsung', type: 'printer' }],
  ['674.10892', { name: 'Dell', type: 'server' }],
  ['674.10895', { name: 'Dell', type: 'switch' }],
  ['9', { name: 'Cisco', type: 'switch' }],
  ['171', { name: 'D-Link', type: 'switch' }],
  ['253', { name: 'Xerox', type: 'printer' }],
  ['311', { name: 'Microsoft', type: 'server' }],
  ['367', { name: 'Ricoh', type: 'printer' }],
  ['368', { name: 'Axis', type: 'camera' }],
  ['641', { name: 'Lexmark', type: 'printer' }],
  ['1248', { name: 'Epson', type: 'printer' }],
  ['1347', { name: 'Kyocera', type: 'printer' }],
  ['1602', { name: 'Canon', type: 'printer' }],
  ['1916', { name: 'Extreme', type: 'switch' }],
  ['2011', { name: 'Huawei', type: 'switch' }],
  ['2435', { name: 'Brother', type: 'printer' }],
  ['2620', { name: 'Check Point', type: 'firewall' }],
  ['2636', { name: 'Juniper', type: 'switch' }],
  ['4526', { name: 'Netgear', type: 'switch' }],
  ['4881', { name: 'Ruijie', type: 'switch' }],
  ['6574', { name: 'Synology', type: 'server' }],
  ['6876', { name: 'VMware', type: 'server' }],
  ['8072', { name: 'Net-SNMP', type: 'server' }],
  ['8741', { name: 'SonicWall', type: 'firewall' }],
  ['10642', { name: 'Zebra', type: 'printer' }],
  ['10876', { name: 'Supermicro', type: 'server' }],
  ['11863', { name: 'TP-Link', type: 'switch' }],
  ['12356', { name: 'Fortinet', type: 'firewall' }],
  ['18334', { name: 'Konica Minolta', type: 'printer' }],
  ['24681', { name: 'QNAP', type: 'server' }],
  ['25461', { name: 'Palo Alto', type: 'firewall' }],
  ['25506', { name: 'H3C', type: 'switch' }],
  ['30065', { name: 'Arista', type: 'switch' }],
  ['35047', { name: 'Sangfor', type: 'firewall' }],
  ['39165', { name: 'Hikvision', type: 'camera' }],
  ['1004849', { name: 'Dahua', type: 'camera' }],
];

function coded(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, body.length]), body]);
}

function codedOid(text: string): Buffer {
  const [first = 0, second = 0, ...arcs] = text.split('.').map(Number);
  // all arcs are below 128
  return coded(tags.oid, Buffer.from([first * 40 + second, ...arcs]));
}

const integer = (value: number) => coded(tags.integer, Buffer.from([value]));

/** GetRequest of SNMPv2c (RFC 3416). */
export const snmpGet = coded(
  tags.sequence,
  integer(1),
  coded(tags.text, Buffer.from('public')),
  coded(
    tags.get,
    integer(0x59),
    integer(0),
    integer(0),
    coded(
      tags.sequence,
      ...[sysObjectId, sysName].map((oid) => coded(tags.sequence, codedOid(oid), coded(tags.empty))),
    ),
  ),
);

interface Element {
  tag: number;
  body: Buffer;
}

const maxElements = 16;

/** Reads BER; null if malformed. */
function elementsOf(data: Buffer): Element[] | null {
  const found: Element[] = [];
  let at = 0;
  while (at < data.length) {
    const [tag, short] = [data[at]!, data[at + 1]];
    if (short === undefined || found.length === maxElements) return null;
    const more = short < 0x80 ? 0 : short & 0x7f;
    if (more > 2 || at + 2 + more > data.length) return null;
    const length = more === 0 ? short & 0x7f : data.readUIntBE(at + 2, more);
    const begin = at + 2 + more;
    at = begin + length;
    if (at > data.length) return null;
    found.push({ tag, body: data.subarray(begin, at) });
  }
  return found;
}

function oidOf(body: Buffer): string | null {
  const first = body[0];
  if (first === undefined) return null;
  const arcs = [Math.min(2, Math.floor(first / 40)), first - 40 * Math.min(2, Math.floor(first / 40))];
  let arc = 0;
  for (const byte of body.subarray(1)) {
    arc = arc * 128 + (byte & 0x7f);
    if (arc > 0xffffffff) return null;
    if (byte & 0x80) continue;
    arcs.push(arc);
    arc = 0;
    if (arcs.length > 32) return null;
  }
  return arcs.join('.');
}

export function readSnmp(packet: Buffer): Finding | null {
  const [message] = elementsOf(packet) ?? [];
  const pdu = message?.tag === tags.sequence ? elementsOf(message.body)?.[2] : undefined;
  const bindings = pdu?.tag === tags.response ? elementsOf(pdu.body)?.[3] : undefined;
  const values = new Map<string, Element>();
  for (const binding of elementsOf(bindings?.body ?? Buffer.alloc(0)) ?? []) {
    const [name, value] = elementsOf(binding.body) ?? [];
    const oid = name?.tag === tags.oid ? oidOf(name.body) : null;
    if (oid !== null && value) values.set(oid, value);
  }
  if (values.size === 0) return null;
  const [object, named] = [values.get(sysObjectId), values.get(sysName)];
  const own = object?.tag === tags.oid ? (oidOf(object.body) ?? '') : '';
  const number = own.startsWith(enterprises) ? own.slice(enterprises.length) : '';
  const vendor = vendors.find(([prefix]) => number === prefix || number.startsWith(`${prefix}.`))?.[1];
  return {
    by: 'snmp',
    type: vendor?.type ?? null,
    name: named?.tag === tags.text ? shortText(named.body.toString('utf8')) : null,
    model: vendor?.name ?? null,
  };
}
