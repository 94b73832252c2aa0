import { applicationCategories } from '../enums.ts';
import { captiveForm } from './edge-captive.ts';
import { edgeDays, edgeLimits, edgeServices } from './edge-limits.ts';
import { edgeSdwanLimits, sdwanForm } from './edge-sdwan.ts';
import { shieldForm } from './edge-shield.ts';
import * as is from './grammar.ts';
import { needed, type Sent, sent, unsent } from './grammar.ts';
import { deviceLimits } from './limits.ts';
import { timeOfDay } from './opening-hours.ts';

// the agent bundles only the device contract
export { type ApplicationCategory, applicationCategories } from '../enums.ts';

const maxAddresses = 8;
const name = is.text(edgeLimits.name);
const kbps = is.within(edgeLimits.rate);
const offset = is.integer(1, 2 ** 24);
/** Seconds between reports. */
const interval = is.integer(deviceLimits.reportInterval / 1000, deviceLimits.int32);
const host = is.pattern(/^[A-Za-z0-9]([A-Za-z0-9.:-]{0,252}[A-Za-z0-9])?$/, 'a host');

const ethernet = is.open({
  'select-ports': needed(is.list(is.pattern(/^[A-Za-z0-9]{1,15}\*?$/, 'a port or LAN*'), 64, 1)),
  'vlan-tag': is.word('tagged', 'un-tagged', 'auto'),
  macaddr: is.mac,
});

/** By offset in the subnet, or by address. */
const dhcp = is.open({
  'lease-first': offset,
  'lease-count': offset,
  'lease-start': is.address,
  'lease-end': is.address,
  'lease-time': sent(is.leaseTime),
  'use-dns': unsent(is.oneOrMore(is.address, maxAddresses)),
});

const staticLease = is.open({
  macaddr: needed(is.mac),
  'static-lease-offset': needed(offset),
  'lease-time': unsent(is.leaseTime),
  'publish-hostname': unsent(is.flag),
});

const portForward = is.open({
  protocol: sent(is.word('tcp', 'udp', 'any')),
  'external-port': needed(is.portRange),
  'internal-address': needed(is.address),
  'internal-port': is.portRange,
});

const ipv4 = is.open({
  addressing: sent(is.word('dynamic', 'static', 'none')),
  subnet: is.subnet,
  gateway: is.address,
  'use-dns': is.oneOrMore(is.address, maxAddresses),
  'send-hostname': unsent(is.flag),
  'disallow-upstream-subnet': unsent(is.oneOrMore(is.subnet, 32)),
  dhcp,
  'dhcp-leases': is.list(staticLease, edgeLimits.staticLeases),
  'port-forward': is.list(portForward, edgeLimits.portForwards),
});

const networkInterface = is.open({
  name: needed(name),
  role: needed(is.word('upstream', 'downstream')),
  metric: is.integer(0, 2 ** 32 - 1),
  mtu: is.within(edgeLimits.mtu),
  services: is.list(is.known(edgeServices, 64), 32),
  vlan: is.open({ id: needed(is.within(edgeLimits.lineVlan)), proto: unsent(is.word('802.1q')) }),
  ethernet: sent(is.list(ethernet, 32)),
  ipv4: sent(ipv4),
});

/** Default: gateway, DNS servers, `publicProbe`. */
const probe = is.closed({
  addresses: is.list(is.address, edgeLimits.probeAddresses),
  every_s: unsent(is.within(edgeLimits.probeEvery)),
  /** In a row: failures until down, successes until up. */
  fails: unsent(is.within(edgeLimits.probeFails)),
  recovers: unsent(is.within(edgeLimits.probeRecovers)),
});

/** `to`: `10.9.0.0/16`; `via`: neighbour, or `interface`: an uplink (needs `wanRoutes`). */
const route = is.closed({ to: needed(is.subnet), via: is.address, interface: name });

const wan = is.closed({
  interface: needed(name),
  down_kbps: kbps,
  up_kbps: kbps,
  probe,
  /** Moves connections back to a preferred uplink (needs `wanRoutes`). */
  metered: is.flag,
});

/** Down: to the client. Exactly one key of `of`. */
const limit = is.closed({
  name: needed(name),
  of: needed(is.closed({ mac: is.mac, address: is.address, interface: name })),
  down_kbps: kbps,
  up_kbps: kbps,
});

/** `at` is `HH:MM`. */
const reboot = is.closed({
  days: needed(is.list(is.word(...edgeDays), edgeDays.length, 1)),
  at: needed(is.pattern(timeOfDay, 'a time of day such as 03:30')),
});

/** First: `example.com`, `tcp/8080`, `udp/27000-27100`. */
const flowRule = is.closed({ match: needed(is.text(253)), category: needed(is.word(...applicationCategories)) });

/** `third-party.yunxun`. kbit/s of 1000 bits. */
const section = is.closed({
  /** Until an unconfirmed configuration reverts. */
  confirm_s: sent(is.within(edgeLimits.confirm)),
  routes: is.list(route, edgeLimits.routes),
  lines: is.list(wan, edgeLimits.lines),
  /** The most specific applies: MAC, address, interface. */
  limits: is.list(limit, edgeLimits.limits),
  /** In `unit.timezone`, else the host's. */
  reboot,
  /** Needs `blocking`. */
  blocked: is.list(is.mac, edgeLimits.blocked),
  /** Stops the host's other DNS server while LANs are served. Needs `port53`. */
  take_port53: is.flag,
  /** Needs `sdwan`. */
  sdwan: is.list(sdwanForm, edgeSdwanLimits.networks),
  /** Needs `shield`. */
  shield: shieldForm,
  /** Needs `captive`. */
  captive: captiveForm,
  app_flow: unsent(is.closed({ rules: needed(is.list(flowRule, edgeLimits.flowRules)) })),
});

const log = is.open({
  host: needed(host),
  port: needed(is.integer(100, 65_535)),
  proto: is.word('tcp', 'udp'),
  size: is.integer(32, 65_536),
  priority: is.integer(0, 7),
});

export const edgeDocument = is.open({
  uuid: is.unread(is.integer(1, deviceLimits.int32)),
  strict: unsent(is.flag),
  unit: sent(
    is.open({
      name: sent(is.text(255)),
      hostname: unsent(is.text(255)),
      timezone: is.text(64),
      location: unsent(is.text(1024)),
    }),
  ),
  interfaces: needed(is.list(networkInterface, edgeLimits.interfaces, 1)),
  services: unsent(is.open({ ssh: is.open({ port: is.integer(1, 65_535) }), log })),
  metrics: sent(
    is.unread(
      is.open({
        statistics: sent(is.open({ interval: sent(interval), types: sent(is.list(is.word('clients'), 1)) })),
        health: sent(is.open({ interval: sent(interval) })),
        realtime: sent(is.open({ types: sent(is.list(is.word('client', 'wired', 'health', 'unit'), 4)) })),
      }),
    ),
  ),
  'third-party': sent(is.open({ yunxun: sent(section) })),
});

type Items<T> = NonNullable<T> extends readonly (infer I)[] ? I : never;

export type EdgeSection = Sent<typeof section>;
export type EdgeWan = Items<EdgeSection['lines']>;
export type EdgeLimit = Items<EdgeSection['limits']>;
export type EdgeFlowRule = Sent<typeof flowRule>;
