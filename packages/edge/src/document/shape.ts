import { applicationCategories, edgeDays, edgeLimits } from '@yunxun/contract/device';
import { captiveReader } from './captive.ts';
import {
  address,
  anything,
  flag,
  formed,
  integer,
  leaseTime,
  list,
  mac,
  object,
  oneOf,
  oneOrMore,
  type Parts,
  portRange,
  type Reader,
  subnet,
  text,
} from './reader.ts';
import { sdwanReader } from './sdwan.ts';
import { shieldReader } from './shield.ts';

/** Unknown uCentral keys are ignored with a sentence. */
const open = { unknown: 'reject' } as const;
/** Unknown keys of our section refuse the document. */
const closed = { unknown: 'refuse' } as const;

const maxAddresses = 8;
const name = text(edgeLimits.name);
const host = formed(/^[A-Za-z0-9]([A-Za-z0-9.:-]{0,252}[A-Za-z0-9])?$/, 'a host');

const ethernet = object(
  {
    'select-ports': list(formed(/^[A-Za-z0-9]{1,15}\*?$/, 'a port or LAN*'), { max: 64, least: 1 }),
    'vlan-tag': oneOf('tagged', 'un-tagged', 'auto'),
    macaddr: mac,
  },
  { ...open, needed: ['select-ports'] },
);

const dhcp = object(
  {
    'lease-first': integer(1, 2 ** 24),
    'lease-count': integer(1, 2 ** 24),
    'lease-start': address,
    'lease-end': address,
    'lease-time': leaseTime,
    'use-dns': oneOrMore(address, maxAddresses),
  },
  open,
);

const staticLease = object(
  { macaddr: mac, 'static-lease-offset': integer(1, 2 ** 24), 'lease-time': leaseTime, 'publish-hostname': flag },
  { ...open, needed: ['macaddr', 'static-lease-offset'] },
);

const portForward = object(
  {
    protocol: oneOf('tcp', 'udp', 'any'),
    'external-port': portRange,
    'internal-address': address,
    'internal-port': portRange,
  },
  { ...open, needed: ['external-port', 'internal-address'] },
);

const ipv4 = object(
  {
    addressing: oneOf('dynamic', 'static', 'none'),
    subnet,
    gateway: address,
    'use-dns': oneOrMore(address, maxAddresses),
    'send-hostname': flag,
    'disallow-upstream-subnet': oneOrMore(subnet, 32),
    dhcp,
    'dhcp-leases': list(staticLease, { max: edgeLimits.staticLeases }),
    'port-forward': list(portForward, { max: edgeLimits.portForwards }),
  },
  open,
);

const networkInterface = object(
  {
    name,
    role: oneOf('upstream', 'downstream'),
    metric: integer(0, 2 ** 32 - 1),
    mtu: integer(edgeLimits.mtu.min, edgeLimits.mtu.max),
    services: list(text(64), { max: 32 }),
    vlan: object(
      { id: integer(edgeLimits.lineVlan.min, edgeLimits.lineVlan.max), proto: oneOf('802.1q') },
      { ...open, needed: ['id'] },
    ),
    ethernet: list(ethernet, { max: 32 }),
    ipv4,
  },
  { ...open, needed: ['name', 'role'] },
);

const { rate } = edgeLimits;
const kbps = integer(rate.min, rate.max);

const probe = object(
  {
    addresses: list(address, { max: edgeLimits.probeAddresses }),
    every_s: integer(edgeLimits.probeEvery.min, edgeLimits.probeEvery.max),
    fails: integer(edgeLimits.probeFails.min, edgeLimits.probeFails.max),
    recovers: integer(edgeLimits.probeRecovers.min, edgeLimits.probeRecovers.max),
  },
  closed,
);

const section = object(
  {
    confirm_s: integer(edgeLimits.confirm.min, edgeLimits.confirm.max),
    routes: list(object({ to: subnet, via: address, interface: name }, { ...closed, needed: ['to'] }), {
      max: edgeLimits.routes,
    }),
    lines: list(
      object(
        { interface: name, down_kbps: kbps, up_kbps: kbps, probe, metered: flag },
        { ...closed, needed: ['interface'] },
      ),
      { max: edgeLimits.lines },
    ),
    limits: list(
      object(
        { name, of: object({ mac, address, interface: name }, closed), down_kbps: kbps, up_kbps: kbps },
        { ...closed, needed: ['name', 'of'] },
      ),
      { max: edgeLimits.limits },
    ),
    reboot: object(
      {
        days: list(oneOf(...edgeDays), { max: edgeDays.length, least: 1 }),
        at: formed(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 03:30'),
      },
      { ...closed, needed: ['days', 'at'] },
    ),
    blocked: list(mac, { max: edgeLimits.blocked }),
    take_port53: flag,
    sdwan: sdwanReader,
    shield: shieldReader,
    captive: captiveReader,
    app_flow: object(
      {
        rules: list(
          object(
            { match: text(253), category: oneOf(...applicationCategories) },
            {
              ...closed,
              needed: ['match', 'category'],
            },
          ),
          { max: edgeLimits.flowRules },
        ),
      },
      { ...closed, needed: ['rules'] },
    ),
  },
  closed,
);

export const documentReader = object(
  {
    uuid: anything,
    strict: flag,
    unit: object({ name: text(255), hostname: text(255), timezone: text(64), location: text(1024) }, open),
    interfaces: list(networkInterface, { max: edgeLimits.interfaces, least: 1 }),
    services: object(
      {
        ssh: object({ port: integer(1, 65_535) }, open),
        log: object(
          {
            host,
            port: integer(100, 65_535),
            proto: oneOf('tcp', 'udp'),
            size: integer(32, 65_536),
            priority: integer(0, 7),
          },
          { ...open, needed: ['host', 'port'] },
        ),
      },
      open,
    ),
    metrics: anything,
    'third-party': object({ yunxun: section }, open),
  },
  { ...open, needed: ['interfaces'] },
);

type Meaning<R> = R extends Reader<infer T> ? T : never;

export type Shaped = Meaning<typeof documentReader>;
export type ShapedInterface = Meaning<typeof networkInterface>;
export type ShapedIpv4 = Meaning<typeof ipv4>;
export type ShapedSection = Meaning<typeof section>;
export type { Parts };
