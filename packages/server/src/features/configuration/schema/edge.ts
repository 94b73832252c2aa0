import { edgeDays, edgeLimits } from '@yunxun/contract/device';
import {
  cidr4,
  closed,
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
    ethernet: listOf(closed({ 'select-ports': listOf(socket, { min: 1, max: 1 }) }, ['select-ports']), {
      min: 1,
      max: 1,
    }),
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

const section = closed(
  {
    confirm_s: integer(edgeLimits.confirm.min, edgeLimits.confirm.max),
    routes: listOf(closed({ to: cidr4, via: ipv4 }, ['to', 'via']), { max: edgeLimits.routes }),
    lines: listOf(
      closed(
        {
          interface: name,
          down_kbps: kbps,
          up_kbps: kbps,
          probe: closed({ addresses: listOf(ipv4, { max: edgeLimits.probeAddresses }) }, ['addresses']),
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
    reboot: closed({ days: listOf(oneOf(...edgeDays), { min: 1 }), at: pattern('^\\d\\d:\\d\\d$') }, ['days', 'at']),
  },
  ['confirm_s'],
);

/** Documents for gateways on our own agent: what we emit of what it takes, and nothing else. */
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
