import { edgeLimits } from '@yunxun/contract/device';
import { broadcastOf, dotted, networkOf, type Subnet } from '@yunxun/contract/ipv4';
import fc from 'fast-check';
import type { Facts } from '../facts.ts';

export const fullFacts: Facts = {
  ports: {
    WAN1: 'eth0',
    WAN2: 'enp3s0',
    WAN3: 'wan.3',
    LAN1: 'eth1',
    LAN2: 'eth2',
    LAN3: 'eth3',
    LAN4: 'eth4',
    LAN10: 'lan-10',
  },
  abilities: { vlan: true, shaping: true, ifb: true, fqCodel: false, dhcpClient: true, dnsmasq: true },
  mtus: { WAN1: { min: 68, max: 9194 }, WAN2: { min: 68, max: 1500 }, LAN4: { min: 46, max: 4000 } },
  folders: { run: '/run/yunxun-edge', state: '/var/lib/yunxun-edge' },
};

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export function smallDocument(): JsonObject {
  return {
    uuid: 1000,
    unit: { name: 'gw-1' },
    interfaces: [
      {
        name: 'WAN',
        role: 'upstream',
        ethernet: [{ 'select-ports': ['WAN1'] }],
        ipv4: { addressing: 'dynamic' },
      },
      {
        name: 'LAN',
        role: 'downstream',
        ethernet: [{ 'select-ports': ['LAN*'] }],
        ipv4: {
          addressing: 'static',
          subnet: '192.168.1.1/24',
          dhcp: { 'lease-first': 10, 'lease-count': 200, 'lease-time': '6h' },
        },
      },
    ],
  };
}

export function largestDocument(): JsonObject {
  const many = (count: number, make: (index: number) => Json): Json[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const macOf = (index: number) => `02:00:00:00:${hexByte(index >> 8)}:${hexByte(index % 256)}`;
  const document = smallDocument();
  const ipv4 = {
    addressing: 'static',
    subnet: '10.0.0.1/16',
    dhcp: { 'lease-first': 2000, 'lease-count': 10_000 },
    'dhcp-leases': many(edgeLimits.staticLeases, (at) => ({ macaddr: macOf(at), 'static-lease-offset': 10 + at })),
    'port-forward': many(edgeLimits.portForwards, (at) => ({
      'external-port': `${1000 + at * 200}-${1099 + at * 200}`,
      'internal-address': '10.0.0.9',
      'internal-port': `${1001 + at * 200}-${1100 + at * 200}`,
    })),
  };
  return {
    ...replaced(document, ['interfaces', 1, 'ipv4'], ipv4),
    'third-party': {
      yunxun: {
        lines: [{ interface: 'WAN', down_kbps: 900_000, up_kbps: 500_000 }],
        routes: many(edgeLimits.routes, (at) => ({ to: `172.${16 + (at >> 8)}.${at % 256}.0/24`, via: '10.0.0.8' })),
        blocked: many(edgeLimits.blocked, macOf),
        limits: many(edgeLimits.limits, (at) => ({
          name: `limit ${at}`,
          of: { mac: macOf(at) },
          down_kbps: 64 + at,
          up_kbps: 10_000_000,
        })),
      },
    },
  };
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

export const hostileTexts = [
  'Zq-9"; flush ruleset; #',
  "Zq-9'; rm -rf / #",
  'Zq-9$(reboot)',
  'Zq-9`reboot`',
  'Zq-9 } table inet other { ',
  'Zq-9\\"',
  'Zq-9\ndhcp-script=/bin/sh',
  'Zq-9\u0000',
  '../../Zq-9',
  '-Zq-9 --help',
  'Zq-9,set:x,1.2.3.4',
  'Zq-9=addn-hosts',
  'Zq-9\u202egnp',
  'Zq-9*',
  '网络Zq-9',
  '<script>Zq-9</script>',
  'Zq-9%s%n',
  'Zq-9 ',
] as const;

const nameText = fc.oneof(
  fc.constantFrom('LAN', 'Guest', '办公网', ...hostileTexts),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);

function nameOf(text: string, number: number): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '');
  return `${[...plain].slice(0, 28).join('')}${number}`;
}

const seed = fc.record({
  lines: fc.array(
    fc.record({
      name: nameText,
      dynamic: fc.boolean(),
      vlan: fc.option(fc.integer({ min: 1, max: 4094 }), { nil: undefined }),
      shared: fc.boolean(),
      metric: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
      mtu: fc.option(fc.integer({ min: 576, max: 1500 }), { nil: undefined }),
      mac: fc.option(fc.constantFrom('02:aa:00:00:00:01', '3c:aa:00:00:00:02'), { nil: undefined }),
      ssh: fc.boolean(),
      down: fc.option(fc.integer({ min: 64, max: 10_000_000 }), { nil: undefined }),
      up: fc.option(fc.integer({ min: 64, max: 10_000_000 }), { nil: undefined }),
      reported: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  lans: fc.array(
    fc.record({
      name: nameText,
      prefix: fc.integer({ min: 18, max: 30 }),
      own: fc.nat(),
      first: fc.nat(),
      count: fc.nat(),
      byAddress: fc.boolean(),
      dhcp: fc.boolean(),
      ports: fc.nat({ max: 2 }),
      tagged: fc.boolean(),
      vlan: fc.boolean(),
      dns: fc.boolean(),
      leases: fc.nat({ max: 4 }),
      forwards: fc.array(
        fc.record({
          protocol: fc.constantFrom('tcp', 'udp', 'any', undefined),
          length: fc.integer({ min: 1, max: 20 }),
          shift: fc.nat({ max: 5 }),
        }),
        { maxLength: 4 },
      ),
      barred: fc.boolean(),
    }),
    { maxLength: 5 },
  ),
  limits: fc.array(
    fc.record({
      name: nameText,
      kind: fc.constantFrom('mac', 'address', 'interface'),
      of: fc.nat({ max: 4 }),
      down: fc.option(fc.integer({ min: 64, max: 1_000_000 }), { nil: undefined }),
      up: fc.integer({ min: 64, max: 1_000_000 }),
    }),
    { maxLength: 8 },
  ),
  routes: fc.nat({ max: 4 }),
  reboot: fc.boolean(),
  blocked: fc.subarray(['02:00:00:00:00:0B', '02:00:00:00:00:0a']),
  host: fc.constantFrom(...hostileTexts, 'gw-1', undefined),
});

type Seed = typeof seed extends fc.Arbitrary<infer T> ? T : never;

export const documents: fc.Arbitrary<JsonObject> = seed.map(build);

function build({ lines, lans, limits, routes, reboot, blocked, host }: Seed): JsonObject {
  const [first] = lines;
  const uplinks = lines.map((line, index) =>
    uplink(line, index, first?.vlan === undefined ? (first?.mtu ?? 1500) : 1500),
  );
  const networks = lans.map((lan, index) => network(lan, index, lines.length));
  const names = networks.map(({ json }) => json.name as string);
  const section: JsonObject = {
    confirm_s: 45,
    routes: networks
      .filter(({ hosts }) => hosts.length > 0)
      .slice(0, routes)
      .map(({ hosts }, index) => ({ to: `172.${16 + index}.0.0/16`, via: dotted(hosts[0]!) })),
    lines: lines.flatMap(({ reported, down, up }, index) =>
      reported
        ? [
            clean({
              interface: uplinks[index]!.name as string,
              down_kbps: down,
              up_kbps: up,
              probe: { addresses: ['192.0.2.1'], every_s: 2, fails: 2, recovers: 2 },
            }),
          ]
        : [],
    ),
    limits: limitsOf(limits, networks, names),
    ...(reboot ? { reboot: { days: ['sun', 'wed'], at: '03:30' } } : {}),
    blocked,
    app_flow: { rules: [{ match: 'example.com', category: 'Video' }] },
  };
  return {
    uuid: 1000,
    unit: clean({ name: host === undefined ? undefined : nameOf(host, 0), timezone: 'Asia/Shanghai' }),
    interfaces: [...uplinks, ...networks.map(({ json }) => json)],
    services: { ssh: { port: 22 } },
    'third-party': { yunxun: section },
  };
}

function uplink(
  { name, dynamic, vlan: own, shared, metric, mtu, mac, ssh }: Seed['lines'][number],
  index: number,
  max: number,
): JsonObject {
  const aside = shared && index > 0;
  const vlan = aside ? 4060 + index : own;
  return clean({
    name: nameOf(name, index),
    role: 'upstream',
    metric,
    mtu: mtu === undefined || !aside ? mtu : Math.min(mtu, max),
    services: ssh ? ['ssh'] : undefined,
    vlan: vlan === undefined ? undefined : { id: vlan },
    ethernet: [clean({ 'select-ports': [`WAN${aside ? 1 : index + 1}`], macaddr: mac })],
    ipv4: dynamic
      ? { addressing: 'dynamic' }
      : {
          addressing: 'static',
          subnet: `198.18.${index}.2/24`,
          gateway: `198.18.${index}.1`,
          'use-dns': [`192.0.2.${index + 1}`],
        },
  });
}

interface Built {
  json: JsonObject;
  hosts: number[];
}

function network(lan: Seed['lans'][number], index: number, before: number): Built {
  const base = (10 * 256 + index) * 2 ** 16;
  const shape: Subnet = { address: base, prefix: lan.prefix };
  const size = broadcastOf(shape) - networkOf(shape) - 1;
  const own = base + 1 + (lan.own % size);
  const hosts = Array.from({ length: Math.min(size, 40) }, (_, step) => base + 1 + step).filter((at) => at !== own);
  const room = own - base > size / 2 ? { from: base + 1, to: own - 1 } : { from: own + 1, to: base + size };
  const first = room.from + (lan.first % Math.max(1, room.to - room.from + 1));
  const count = 1 + (lan.count % Math.max(1, room.to - first + 1));
  const pool = room.to >= room.from && lan.dhcp;
  const times = { 'lease-time': '6h', ...(lan.dns ? { 'use-dns': ['192.0.2.53', '192.0.2.54'] } : {}) };
  const ports = index < 4 ? [`LAN${index + 1}`] : [];
  const json = clean({
    name: nameOf(lan.name, before + index),
    role: 'downstream',
    vlan: lan.vlan ? { id: 100 + index } : undefined,
    ethernet: [
      ...(ports.length > 0 && lan.ports > 0 ? [{ 'select-ports': ports }] : []),
      ...(lan.vlan && lan.tagged ? [{ 'select-ports': ['LAN10'], 'vlan-tag': 'tagged' }] : []),
    ],
    ipv4: clean({
      addressing: 'static',
      subnet: `${dotted(own)}/${lan.prefix}`,
      'disallow-upstream-subnet': lan.barred ? ['203.0.113.0/24'] : undefined,
      dhcp: pool
        ? lan.byAddress
          ? { 'lease-start': dotted(first), 'lease-end': dotted(first + count - 1), ...times }
          : { 'lease-first': first - base, 'lease-count': count, ...times }
        : undefined,
      'dhcp-leases': pool
        ? hosts.slice(0, lan.leases).map((at, step) => ({
            macaddr: `02:00:00:00:0${index}:0${step}`,
            'static-lease-offset': at - base,
            'publish-hostname': step % 2 === 0,
          }))
        : undefined,
      'port-forward': hosts.length === 0 ? undefined : forwards(lan.forwards, index, hosts[0]!),
    }),
  });
  return { json, hosts };
}

function forwards(wanted: Seed['lans'][number]['forwards'], index: number, to: number): JsonObject[] {
  return wanted.map(({ protocol, length, shift }, step) => {
    const first = 2000 + index * 1000 + step * 100;
    const last = first + length - 1;
    return clean({
      protocol,
      'external-port': length === 1 ? first : `${first}-${last}`,
      'internal-address': dotted(to),
      'internal-port': shift === 0 ? undefined : length === 1 ? first + shift : `${first + shift}-${last + shift}`,
    });
  });
}

function limitsOf(limits: Seed['limits'], networks: readonly Built[], names: readonly string[]): JsonObject[] {
  const seen = new Set<string>();
  return limits.flatMap(({ name, kind, of, down, up }, index) => {
    const home = networks[of % Math.max(1, networks.length)];
    const address = home?.hosts.at(-1);
    const subject: JsonObject | null =
      kind === 'mac'
        ? { mac: `02:00:00:00:00:0${of}` }
        : kind === 'address'
          ? address === undefined
            ? null
            : { address: dotted(address) }
          : home
            ? { interface: names[of % networks.length]! }
            : null;
    if (subject === null || seen.has(JSON.stringify(subject))) return [];
    seen.add(JSON.stringify(subject));
    return [clean({ name: nameOf(name, index), of: subject, down_kbps: down, up_kbps: up })];
  });
}

function clean(entries: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

export function shuffled(value: Json, random: () => number, key = ''): Json {
  if (Array.isArray(value)) {
    const items = value.map((entry) => shuffled(entry, random, key));
    return unordered.has(key) ? mixed(items, random) : items;
  }
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, entry]): [string, Json] => [name, shuffled(entry, random, name)]);
  return Object.fromEntries(mixed(entries, random));
}

const unordered = new Set([
  'interfaces',
  'ethernet',
  'select-ports',
  'dhcp-leases',
  'port-forward',
  'services',
  'routes',
  'lines',
  'limits',
  'blocked',
  'days',
]);

function mixed<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

export function textsOf(value: Json, key = ''): { key: string; text: string }[] {
  if (typeof value === 'string') return [{ key, text: value }];
  if (Array.isArray(value)) return value.flatMap((entry) => textsOf(entry, key));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, entry]) => textsOf(entry, name));
}

export function withText(value: Json, text: string, other: string): Json {
  if (value === text) return other;
  if (Array.isArray(value)) return value.map((entry) => withText(entry, text, other));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withText(entry, text, other)]));
}

export function replaced(document: JsonObject, path: readonly (string | number)[], value: Json): JsonObject {
  const copy: JsonObject = structuredClone(document);
  let at: Json = copy;
  for (const step of path.slice(0, -1)) at = (at as JsonObject)[step as string]!;
  (at as JsonObject)[path.at(-1) as string] = value;
  return copy;
}
