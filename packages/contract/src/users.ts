import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { authTypes, terminalTypes } from './enums.ts';
import {
  Download,
  Empty,
  exportFormats,
  Id,
  JobStarted,
  ListOf,
  ListQuery,
  Nullable,
  Serial,
  Time,
  Words,
} from './shapes.ts';

/** Lists that terminals are put on. A blocked one is refused by the access points, an allowed one is never blocked. */
export const stationLists = ['blocked', 'allowed'] as const;
export type StationList = (typeof stationLists)[number];

/** Where a list of terminals is read from: who is there now, was there today, was ever there, or is on a list. */
export const userTabs = ['online', 'today', 'history', ...stationLists] as const;
export type UserTab = (typeof userTabs)[number];

/** GHz of a wireless terminal, 0 on a cable. */
export const stationBands = [0, 2, 5, 6] as const;
export type StationBand = (typeof stationBands)[number];

/** Why a stay ended: the device said so, seen elsewhere, no longer in its reports, its restart, the device went away. */
export const endReasons = ['leave', 'roam', 'gone', 'restart', 'lost'] as const;
export type EndReason = (typeof endReasons)[number];

/** What an account may hold of each list, and a call may name. */
export const userLimits = { blocked: 200, allowed: 1000, batch: 200 } as const;

/** A terminal's MAC: twelve lower-case hexadecimal digits. */
const Mac = Serial;
const Macs = Type.Array(Mac, { minItems: 1, maxItems: userLimits.batch, uniqueItems: true });
/** What a person writes about a terminal: name/text of the spec; null takes it away. */
const StationRemark = Nullable(Type.String({ rule: 'nameText', minLength: 1, maxLength: 64 }));

/** A terminal, where it is or was last, and what the operator says of it. */
export const UserRow = Type.Object({
  mac: Mac,
  /** The terminal made this address up; it may have others. */
  random_mac: Type.Boolean(),
  /** Associated, or on a cable, in the last report of a device whose session is open. */
  online: Type.Boolean(),
  hostname: Nullable(Type.String()),
  remark: Type.String(),
  vip: Type.Boolean(),
  list: Nullable(Words(stationLists)),
  /** Since when it is on the list, and who put it there. */
  listed_at: Nullable(Time),
  listed_by: Nullable(Type.String()),
  terminal: Type.Object({
    /** One of the four of the spec, or null where nobody knows. */
    type: Nullable(Words(terminalTypes)),
    brand: Nullable(Type.String()),
    os: Nullable(Type.String()),
    /** Who says so: fingerprint, user_agent, hostname or oui. */
    source: Nullable(Type.String()),
  }),
  gwid: Nullable(Id),
  network: Nullable(Type.String()),
  serial: Nullable(Serial),
  device: Nullable(Type.String()),
  ssid: Nullable(Type.String()),
  bssid: Nullable(Type.String()),
  band: Nullable(Type.Integer()),
  port: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  /** dBm in the last report. */
  rssi: Nullable(Type.Integer()),
  auth_type: Nullable(Words(authTypes)),
  /** Who signed in at the portal: a phone number with its middle hidden, or another name. */
  phone_masked: Nullable(Type.String()),
  account: Nullable(Type.String()),
  login_at: Nullable(Time),
  duration_s: Nullable(Type.Integer()),
  /** Bytes of this session, to and from the terminal; null where nobody counts them (cables). */
  down: Nullable(Type.Integer()),
  up: Nullable(Type.Integer()),
  /** Bytes of today in the account's calendar, both ways. */
  flow_today: Type.Integer(),
  first_seen: Nullable(Time),
  last_seen: Nullable(Time),
  /** When its device last reported. */
  as_of: Nullable(Time),
});

/** A stay at one access point or port; without an end it still lasts. */
export const StayRow = Type.Object({
  serial: Serial,
  device: Nullable(Type.String()),
  gwid: Nullable(Id),
  network: Nullable(Type.String()),
  ssid: Nullable(Type.String()),
  bssid: Nullable(Type.String()),
  band: Type.Integer(),
  ip: Nullable(Type.String()),
  started_at: Time,
  ended_at: Nullable(Time),
  end_reason: Nullable(Words(endReasons)),
  /** Null on a cable of a device that counts nobody's. */
  down: Nullable(Type.Integer()),
  up: Nullable(Type.Integer()),
  /** Mean and worst signal, dBm. */
  rssi_mean: Nullable(Type.Number()),
  rssi_min: Nullable(Type.Integer()),
});

const filters = {
  tab: Type.Optional(Words(userTabs)),
  gwid: Type.Optional(Id),
  serial: Type.Optional(Serial),
  ssid: Type.Optional(Type.String({ maxLength: 64 })),
  band: Type.Optional(Words(['0', '2', '5', '6'])),
  terminal: Type.Optional(Words([...terminalTypes, 'unknown'])),
  auth: Type.Optional(Words([...authTypes, 'none'])),
  vip: Type.Optional(Words(['true'])),
  random: Type.Optional(Words(['true', 'false'])),
  /** Signal weaker than so many dBm. */
  rssi_below: Type.Optional(Words(['-60', '-67', '-70', '-75', '-80'])),
  /** Seen in the last 30 days of the account's calendar, today included; on the tab of everybody ever seen. */
  seen: Type.Optional(Words(['30'])),
  /** First seen within those 30 days, or before; on the same tab. */
  known: Type.Optional(Words(['new', 'old'])),
  /** More than so many MiB: of the session for who is there, else of today. */
  flow_above: Type.Optional(Words(['10', '100', '1024', '10240'])),
} as const;

/** By what lists of terminals are ordered; who has no such value stands last. */
const sorts = ['login_at', 'last_seen', 'rssi', 'flow', 'mac', 'hostname'] as const;

const reads = { access: 'user', method: 'POST', permission: 'user.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'user.write', effect: 'write' } as const;

export const list = endpoint({
  ...reads,
  object: { gwid: 'network', serial: 'device' },
  path: '/api/v3/user_online/list',
  summary:
    'Terminals by tab. `keyword` looks in MAC (any part of it), IP address and portal account (where it is now), host name and remark; on the tabs today and history also in the addresses that it had, by their beginning. On the tabs of lists only the keyword filters.',
  body: ListQuery(sorts, filters),
  data: Type.Intersect([
    ListOf(UserRow),
    /** As of when the presence holds. */
    Type.Object({ as_of: Time }),
  ]),
  example: (world) => ({ page: 1, limit: 10, gwid: world.network.gwid }),
});

export const ssids = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/user_online/ssids',
  summary: 'Names of the wireless networks that somebody is on now, by name; the first 200.',
  body: Type.Object({ gwid: Type.Optional(Id) }),
  data: Type.Object({ list: Type.Array(Type.String()) }),
  example: (world) => ({ gwid: world.network.gwid }),
});

export const detail = endpoint({
  ...reads,
  object: { mac: 'station' },
  path: '/api/v3/user_online/detail',
  summary:
    'One terminal: where it is, its flow and signal by the quarter of an hour over 24 h, its roams, and its access point beside the others of the network.',
  body: Type.Object({ mac: Mac }),
  data: Type.Intersect([
    UserRow,
    Type.Object({
      /** Changes of the access point or band within 24 h. */
      roams: Type.Integer(),
      quarters: Type.Array(
        Type.Object({
          at: Time,
          /** Bytes; signal as a mean in dBm, null where nobody heard one. */
          down: Type.Integer(),
          up: Type.Integer(),
          rssi: Nullable(Type.Number()),
        }),
      ),
      /** The access points of the network over the last hour, its own first: use of the air in the terminal's band. */
      access_points: Type.Array(
        Type.Object({
          serial: Serial,
          device: Type.String(),
          own: Type.Boolean(),
          util_pct: Nullable(Type.Number()),
          noise_dbm: Nullable(Type.Number()),
          clients: Nullable(Type.Number()),
          /** Mean signal of its terminals, dBm, and the share of weak sightings in percent. */
          rssi: Nullable(Type.Number()),
          weak_pct: Nullable(Type.Number()),
        }),
      ),
      /** Access points of the network that are not listed. */
      more: Type.Integer(),
    }),
  ]),
  example: (world) => ({ mac: world.station.mac }),
});

export const history = endpoint({
  ...reads,
  object: { mac: 'station' },
  path: '/api/v3/user_online/history',
  summary: 'The stays of a terminal, latest first; those that still last come before the first page.',
  body: Type.Object({
    mac: Mac,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  data: Type.Intersect([ListOf(StayRow), Type.Object({ open: Type.Array(StayRow) })]),
  example: (world) => ({ mac: world.station.mac, page: 1, limit: 10 }),
});

export const update = endpoint({
  ...writes,
  object: { mac: 'station' },
  path: '/api/v3/user_online/update',
  summary:
    'Sets the remark of a terminal, or whether it is a VIP. Both hold in all networks of the account: 4101 with the reason `networks` for who may see some of them only.',
  body: Type.Object({ mac: Mac, remark: Type.Optional(StationRemark), vip: Type.Optional(Type.Boolean()) }),
  data: UserRow,
  example: (world) => ({ mac: world.station.mac, remark: 'Front-desk', vip: true }),
});

export const kick = endpoint({
  ...writes,
  effect: 'device',
  object: { macs: 'station' },
  path: '/api/v3/user_online/kick',
  summary:
    'Disconnects terminals from their access points, as a job. An item succeeds when the access point no longer reports the terminal; the terminal may come back at once.',
  body: Type.Object({ macs: Macs }),
  data: JobStarted,
  example: (world) => ({ macs: [world.station.mac] }),
});

/** What became of a change of the lists. */
const Listed = Type.Object({
  /** MACs that changed, and those that stayed: they were as wanted, or are allowed and not to be blocked. */
  changed: Type.Array(Mac),
  skipped: Type.Array(Mac),
  /** The job that brings the list to the access points; null when nothing changed for them. */
  job_id: Nullable(Id),
  /** The job that disconnects whom the list now refuses. */
  kick_job_id: Nullable(Id),
});

export const block = endpoint({
  ...writes,
  effect: 'device',
  object: {},
  path: '/api/v3/user_online/block',
  summary:
    'Blocks MACs in all networks of the account: they go into the deny list of every SSID that is managed here, and who is connected is disconnected. Allowed ones are left out. 4106 beyond 200.',
  body: Type.Object({ macs: Macs }),
  data: Listed,
  example: (world) => ({ macs: [world.station.mac] }),
});

export const unblock = endpoint({
  ...writes,
  effect: 'device',
  object: {},
  path: '/api/v3/user_online/unblock',
  summary: 'Takes MACs off their list, blocked or allowed.',
  body: Type.Object({ macs: Macs }),
  data: Listed,
  example: (world) => ({ macs: [world.blockedStation.mac] }),
});

export const allow = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/user_online/allow',
  summary: 'Puts MACs on the list of those that are never blocked; a blocked one is unblocked. 4106 beyond 1000.',
  effect: 'device',
  body: Type.Object({ macs: Macs }),
  data: Listed,
  example: (world) => ({ macs: [world.station.mac] }),
});

export const applied = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/user_online/applied',
  summary: 'On how many access points the list of blocked terminals is in force, by the devices’ own word.',
  body: Empty,
  data: Type.Object({
    blocked: Type.Integer(),
    /** Access points of networks with wireless settings, and those of them that run what is wanted. */
    managed: Type.Integer(),
    in_force: Type.Integer(),
    /** Access points whose networks have no wireless settings here: nothing is blocked there. */
    unmanaged: Type.Integer(),
  }),
  example: () => ({}),
});

export const reveal = endpoint({
  ...writes,
  object: { mac: 'station' },
  path: '/api/v3/user_online/reveal',
  summary: 'Shows the whole portal account of a terminal; the operation log says who looked.',
  body: Type.Object({ mac: Mac }),
  data: Type.Object({ account: Nullable(Type.String()) }),
  example: (world) => ({ mac: world.station.mac }),
});

const { tab, ...rest } = filters;
export const exportList = endpoint({
  ...writes,
  permission: 'user.read',
  object: { gwid: 'network', serial: 'device' },
  path: '/api/v3/user_online/export',
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Terminals as a file, filtered and ordered as the list is, or the stays of one (`mac`); phone numbers are masked. The address works once, for 60 s, and the operation log says who fetched what.',
  body: Type.Object({
    tab,
    ...rest,
    keyword: Type.Optional(Type.String({ maxLength: 100 })),
    sort: Type.Optional(Words(sorts)),
    order: Type.Optional(Words(['asc', 'desc'])),
    mac: Type.Optional(Mac),
    format: Words(exportFormats),
  }),
  data: Download,
  example: () => ({ format: 'csv' as const }),
});
