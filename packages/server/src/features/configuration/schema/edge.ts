import {
  captiveForms,
  edgeCaptiveLimits,
  edgeDays,
  edgeLimits,
  edgeSdwanLimits,
  edgeShieldLimits,
  edgeShieldModes,
  shieldCategories,
} from '@yunxun/contract/device';
import {
  cidr4,
  closed,
  flag,
  integer,
  ipv4,
  type JsonSchema,
  leaseTime,
  listOf,
  mac,
  oneOf,
  pattern,
  text,
  uuid,
} from './parts.ts';

const socket = pattern('^(WAN|LAN)([1-9]\\d?|\\*)$');
const name = text(1, edgeLimits.name);
const portRange = pattern('^[1-9]\\d{0,4}(-[1-9]\\d{0,4})?$');
const kbps = integer(edgeLimits.rate.min, edgeLimits.rate.max);

const upstream = closed(
  {
    name,
    role: { const: 'upstream' },
    services: listOf(oneOf('ssh')),
    metric: integer(1, edgeLimits.lines),
    mtu: integer(edgeLimits.mtu.min, edgeLimits.mtu.max),
    vlan: closed({ id: integer(edgeLimits.lineVlan.min, edgeLimits.lineVlan.max) }, ['id']),
    ethernet: listOf(
      closed({ 'select-ports': listOf(socket, { min: 1, max: 1 }), 'vlan-tag': { const: 'tagged' }, macaddr: mac }, [
        'select-ports',
      ]),
      { min: 1, max: 1 },
    ),
    ipv4: {
      anyOf: [
        closed({ addressing: { const: 'dynamic' }, 'use-dns': listOf(ipv4) }, ['addressing']),
        closed({ addressing: { const: 'static' }, subnet: cidr4, gateway: ipv4, 'use-dns': listOf(ipv4, { min: 1 }) }, [
          'addressing',
          'subnet',
          'gateway',
          'use-dns',
        ]),
      ],
    },
  },
  ['name', 'role', 'ethernet', 'ipv4'],
);

const dhcp = {
  anyOf: [
    closed({ 'lease-start': ipv4, 'lease-end': ipv4, 'lease-time': leaseTime }, [
      'lease-start',
      'lease-end',
      'lease-time',
    ]),
    closed({ 'lease-first': integer(1, 2 ** 24), 'lease-count': integer(1, 2 ** 24), 'lease-time': leaseTime }, [
      'lease-first',
      'lease-count',
      'lease-time',
    ]),
  ],
};

const downstream = closed(
  {
    name,
    role: { const: 'downstream' },
    services: listOf(oneOf('ssh')),
    vlan: closed({ id: integer(1, 4050) }, ['id']),
    ethernet: listOf(
      closed({ 'select-ports': listOf(socket, { min: 1 }), 'vlan-tag': oneOf('tagged', 'un-tagged') }, [
        'select-ports',
      ]),
      { min: 1, max: 2 },
    ),
    ipv4: closed(
      {
        addressing: { const: 'static' },
        subnet: cidr4,
        dhcp,
        'dhcp-leases': listOf(
          closed({ macaddr: mac, 'static-lease-offset': integer(1, 2 ** 24) }, ['macaddr', 'static-lease-offset']),
          { max: edgeLimits.staticLeases },
        ),
        'port-forward': listOf(
          closed(
            {
              protocol: oneOf('tcp', 'udp', 'any'),
              'external-port': portRange,
              'internal-address': ipv4,
              'internal-port': portRange,
            },
            ['protocol', 'external-port', 'internal-address'],
          ),
          { max: edgeLimits.portForwards },
        ),
      },
      ['addressing', 'subnet'],
    ),
  },
  ['name', 'role', 'ethernet', 'ipv4'],
);

const hostName = text(1, 253);
const prefixes = listOf(cidr4, { max: edgeSdwanLimits.routes });
const sdwan = closed(
  {
    id: text(1, 64),
    revision: text(1, 64),
    address: ipv4,
    interfaces: listOf(
      closed(
        {
          name: text(1, 15),
          listen_port: integer(1, 65_535),
          mtu: integer(edgeSdwanLimits.mtu.min, edgeSdwanLimits.mtu.max),
          peers: listOf(
            closed(
              {
                public_key: pattern('^[A-Za-z0-9+/]{43}=$'),
                address: ipv4,
                allowed: prefixes,
                endpoint: closed({ host: hostName, port: integer(1, 65_535) }, ['host', 'port']),
                keepalive_s: integer(1, 3600),
                up_kbps: integer(1),
              },
              ['public_key', 'address', 'allowed'],
            ),
            { max: edgeSdwanLimits.peers },
          ),
        },
        ['name', 'listen_port', 'mtu', 'peers'],
      ),
      { max: edgeSdwanLimits.interfaces },
    ),
    routes: listOf(
      closed(
        {
          prefix: cidr4,
          candidates: listOf(closed({ interface: text(1, 15), probe: ipv4 }, ['interface', 'probe']), { min: 1 }),
        },
        ['prefix', 'candidates'],
      ),
      { max: edgeSdwanLimits.routes },
    ),
    forward: listOf(closed({ from: cidr4, to: cidr4 }, ['from', 'to']), { max: edgeSdwanLimits.pairs }),
    lans: listOf(closed({ prefix: cidr4, as: cidr4 }, ['prefix']), { max: edgeSdwanLimits.lans }),
    up_kbps: integer(1),
    failover: closed(
      {
        probe_ms: integer(1),
        fails: integer(1),
        recovers: integer(1),
        hold_s: integer(0),
        order: oneOf('preferred', 'latency'),
      },
      ['probe_ms', 'fails', 'recovers', 'hold_s', 'order'],
    ),
  },
  ['id', 'revision', 'address', 'interfaces', 'routes', 'forward', 'lans', 'failover'],
);

const shield = closed(
  {
    mode: oneOf(...edgeShieldModes),
    lists: listOf(
      closed(
        {
          category: oneOf(...shieldCategories),
          sha256: pattern('^[0-9a-f]{64}$'),
          path: pattern('^(/[A-Za-z0-9_.-]{1,128}){1,8}$'),
        },
        ['category', 'sha256', 'path'],
      ),
      { max: edgeShieldLimits.lists },
    ),
    allow: listOf(hostName, { max: edgeShieldLimits.allow }),
    redirect: flag,
  },
  ['mode', 'lists', 'allow'],
);

const captive = closed(
  {
    interfaces: listOf(name, { min: 1, max: edgeLimits.interfaces }),
    page: pattern(captiveForms.page.source),
    secret: pattern(captiveForms.secret.source),
    garden: listOf(hostName, { max: edgeCaptiveLimits.garden }),
    exempt_macs: listOf(mac, { max: edgeCaptiveLimits.exempt }),
    exempt_addresses: listOf(ipv4, { max: edgeCaptiveLimits.exempt }),
  },
  ['interfaces', 'page', 'secret', 'garden', 'exempt_macs', 'exempt_addresses'],
);

const section = closed(
  {
    confirm_s: integer(edgeLimits.confirm.min, edgeLimits.confirm.max),
    routes: listOf(
      {
        anyOf: [
          closed({ to: cidr4, via: ipv4 }, ['to', 'via']),
          closed({ to: cidr4, interface: name }, ['to', 'interface']),
        ],
      },
      { max: edgeLimits.routes },
    ),
    lines: listOf(
      closed(
        {
          interface: name,
          down_kbps: kbps,
          up_kbps: kbps,
          probe: closed({ addresses: listOf(ipv4, { max: edgeLimits.probeAddresses }) }, ['addresses']),
          metered: { const: true },
        },
        ['interface'],
      ),
      { max: edgeLimits.lines },
    ),
    limits: listOf(
      closed(
        {
          name,
          of: {
            anyOf: [
              closed({ mac }, ['mac']),
              closed({ address: ipv4 }, ['address']),
              closed({ interface: name }, ['interface']),
            ],
          },
          down_kbps: kbps,
          up_kbps: kbps,
        },
        ['name', 'of'],
      ),
      { max: edgeLimits.limits },
    ),
    blocked: listOf(mac, { min: 1, max: edgeLimits.blocked }),
    take_port53: { const: true },
    sdwan: listOf(sdwan, { min: 1, max: edgeSdwanLimits.networks }),
    shield,
    captive,
    reboot: closed({ days: listOf(oneOf(...edgeDays), { min: 1 }), at: pattern('^\\d\\d:\\d\\d$') }, ['days', 'at']),
  },
  ['confirm_s'],
);

export const edgeSchema: JsonSchema = closed(
  {
    uuid,
    unit: closed({ name: text(), timezone: text(1, 64) }, ['name']),
    interfaces: {
      ...listOf({ anyOf: [upstream, downstream] }, { min: 1, max: edgeLimits.interfaces }),
      contains: { type: 'object', properties: { role: { const: 'upstream' } }, required: ['role'] },
    },
    metrics: closed(
      {
        statistics: closed({ interval: integer(60), types: listOf(oneOf('clients')) }, ['interval', 'types']),
        health: closed({ interval: integer(60) }, ['interval']),
        realtime: closed({ types: listOf(oneOf('client', 'wired', 'health', 'unit')) }, ['types']),
      },
      ['statistics', 'health', 'realtime'],
    ),
    'third-party': closed({ yunxun: section }, ['yunxun']),
  },
  ['unit', 'interfaces', 'metrics', 'third-party'],
);
