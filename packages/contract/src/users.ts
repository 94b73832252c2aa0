import { Type } from 'typebox';
import { Drops } from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { authTypes, deviceStatuses, syncStates, terminalTypes } from './enums.ts';
import {
  Download,
  Empty,
  exportFormats,
  FreeText,
  Id,
  JobStarted,
  Keyword,
  ListOf,
  ListQuery,
  Nullable,
  Serial,
  Time,
  Words,
} from './shapes.ts';

/** An allowed client can never be blocked. */
export const stationLists = ['blocked', 'allowed'] as const;
export type StationList = (typeof stationLists)[number];

/** For networks without the client. `window`: default at night; `waves`: from now. */
export const elsewheres = ['window', 'waves', 'now'] as const;
export type Elsewhere = (typeof elsewheres)[number];

export const userTabs = ['online', 'today', 'history', ...stationLists] as const;
export type UserTab = (typeof userTabs)[number];

/** GHz; 0: wired. */
export const stationBands = [0, 2, 5, 6] as const;
export type StationBand = (typeof stationBands)[number];

export const endReasons = ['leave', 'roam', 'gone', 'restart', 'lost'] as const;
export type EndReason = (typeof endReasons)[number];

export const linkMissing = ['wired', 'offline', 'unreported'] as const;

/** Per account and list, and per call. */
export const userLimits = { blocked: 200, allowed: 1000, batch: 200, networks: 200 } as const;

const Mac = Serial;
const Macs = Type.Array(Mac, { minItems: 1, maxItems: userLimits.batch, uniqueItems: true });
/** Null removes it. */
const StationRemark = Nullable(FreeText(64));

export const UserRow = Type.Object({
  mac: Mac,
  /** Others may exist. */
  random_mac: Type.Boolean(),
  /** In the last report of a connected device. */
  online: Type.Boolean(),
  hostname: Nullable(Type.String()),
  remark: Type.String(),
  vip: Type.Boolean(),
  list: Nullable(Words(stationLists)),
  listed_at: Nullable(Time),
  listed_by: Nullable(Type.String()),
  list_networks: Nullable(Type.Array(Type.Object({ gwid: Id, name: Type.String() }))),
  terminal: Type.Object({
    type: Nullable(Words(terminalTypes)),
    brand: Nullable(Type.String()),
    os: Nullable(Type.String()),
    /** fingerprint, user_agent, hostname or oui. */
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
  /**
   * On a port that leads to `serial` (with `port`: to several devices), which has not reported it.
   */
  behind: Type.Boolean(),
  /** IPv4; IPv6 of a client that has no other. */
  ip: Nullable(Type.String()),
  ipv6: Nullable(Type.String()),
  /** dBm. */
  rssi: Nullable(Type.Integer()),
  auth_type: Nullable(Words(authTypes)),
  phone_masked: Nullable(Type.String()),
  account: Nullable(Type.String()),
  login_at: Nullable(Time),
  duration_s: Nullable(Type.Integer()),
  /** Session bytes; null if not counted (wired). */
  down: Nullable(Type.Integer()),
  up: Nullable(Type.Integer()),
  flow_today: Type.Integer(),
  first_seen: Nullable(Time),
  last_seen: Nullable(Time),
  as_of: Nullable(Time),
});

export const ClientSessionRow = Type.Object({
  serial: Serial,
  device: Nullable(Type.String()),
  gwid: Nullable(Id),
  network: Nullable(Type.String()),
  ssid: Nullable(Type.String()),
  bssid: Nullable(Type.String()),
  /** GHz, 0: wired; null if unreported. */
  band: Nullable(Type.Integer()),
  /** IPv4; IPv6 of a client that has no other. */
  ip: Nullable(Type.String()),
  ipv6: Nullable(Type.String()),
  started_at: Time,
  ended_at: Nullable(Time),
  end_reason: Nullable(Words(endReasons)),
  /** Null if not counted (wired). */
  down: Nullable(Type.Integer()),
  up: Nullable(Type.Integer()),
  /** dBm. */
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
  /** dBm. */
  rssi_below: Type.Optional(Words(['-60', '-67', '-70', '-75', '-80'])),
  /** Last 30 days, today included. */
  seen: Type.Optional(Words(['30'])),
  /** New: first seen within 30 days. */
  known: Type.Optional(Words(['new', 'old'])),
  /** MiB, of the session if online, else of today. */
  flow_above: Type.Optional(Words(['10', '100', '1024', '10240'])),
} as const;

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
  data: Type.Intersect([ListOf(UserRow), Type.Object({ as_of: Time })]),
  example: (seed) => ({ page: 1, limit: 10, gwid: seed.network.gwid }),
});

export const ssids = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/user_online/ssids',
  summary: 'Names of wireless networks with clients now, by name; the first 200.',
  body: Type.Object({ gwid: Type.Optional(Id) }),
  data: Type.Object({ list: Type.Array(Type.String()) }),
  example: (seed) => ({ gwid: seed.network.gwid }),
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
      /** From the access point's last report; null where it lacks a part. */
      link: Nullable(
        Type.Object({
          /** 4: 802.11n, 5: ac, 6: ax, 7: be. */
          generation: Nullable(Type.Integer({ minimum: 4, maximum: 7 })),
          down_kbps: Nullable(Type.Integer()),
          up_kbps: Nullable(Type.Integer()),
          snr_db: Nullable(Type.Number()),
          /** Percent of frames since it joined. */
          retry_pct: Nullable(Type.Number()),
          channel: Nullable(Type.Integer()),
          /** MHz. */
          width: Nullable(Type.Integer()),
        }),
      ),
      link_missing: Nullable(Words(linkMissing)),
      roams: Type.Integer(),
      quarters: Type.Array(
        Type.Object({
          at: Time,
          /** Bytes; signal in dBm. */
          down: Type.Integer(),
          up: Type.Integer(),
          rssi: Nullable(Type.Number()),
        }),
      ),
      /** In the client's band over the last hour, its own access point first. */
      access_points: Type.Array(
        Type.Object({
          serial: Serial,
          device: Type.String(),
          own: Type.Boolean(),
          util_pct: Nullable(Type.Number()),
          noise_dbm: Nullable(Type.Number()),
          clients: Nullable(Type.Number()),
          /** Mean dBm; weak observations in percent. */
          rssi: Nullable(Type.Number()),
          weak_pct: Nullable(Type.Number()),
        }),
      ),
      more: Type.Integer(),
    }),
  ]),
  example: (seed) => ({ mac: seed.station.mac }),
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
  data: Type.Intersect([ListOf(ClientSessionRow), Type.Object({ open: Type.Array(ClientSessionRow) })]),
  example: (seed) => ({ mac: seed.station.mac, page: 1, limit: 10 }),
});

export const update = endpoint({
  ...writes,
  object: { mac: 'station' },
  path: '/api/v3/user_online/update',
  summary:
    'Sets the remark of a terminal, or whether it is a VIP. Both apply to all networks of the account: 4101 with the reason `networks` for members limited to some.',
  body: Type.Object({ mac: Mac, remark: Type.Optional(StationRemark), vip: Type.Optional(Type.Boolean()) }),
  data: UserRow,
  example: (seed) => ({ mac: seed.station.mac, remark: 'Front-desk', vip: true }),
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
  example: (seed) => ({ macs: [seed.station.mac] }),
});

const Listed = Type.Object({
  /** Unchanged, or allowed and thus not blockable. */
  changed: Type.Array(Mac),
  skipped: Type.Array(Mac),
  /** Push to the clients' networks. */
  job_id: Nullable(Id),
  /** Push to the other networks, at `elsewhere`. */
  later_job_id: Nullable(Id),
  kick_job_id: Nullable(Id),
});

/** Absent: all. */
const Scope = Type.Optional(Type.Array(Id, { minItems: 1, maxItems: userLimits.networks, uniqueItems: true }));
const When = Type.Optional(Words(elsewheres));

export const block = endpoint({
  ...writes,
  effect: 'device',
  object: { gwids: 'network' },
  path: '/api/v3/user_online/block',
  summary:
    'Blocks MACs in the given networks, or in all. Connected clients are disconnected, and the deny list is pushed at once to the networks where the clients are, or were last; to the others by `elsewhere` (default: in their maintenance window). Allowed ones are left out. 4106 beyond 200.',
  body: Type.Object({ macs: Macs, gwids: Scope, elsewhere: When }),
  data: Listed,
  example: (seed) => ({ macs: [seed.station.mac] }),
});

export const blockPreview = endpoint({
  ...reads,
  permission: 'user.write',
  object: { gwids: 'network' },
  path: '/api/v3/user_online/block_preview',
  summary: 'What blocking MACs, or taking them off the list (`list` null), would do now and later. Writes nothing.',
  body: Type.Object({ macs: Macs, gwids: Scope, elsewhere: When, list: Nullable(Words(['blocked'])) }),
  data: Type.Object({
    changed: Type.Integer(),
    now: Type.Object({
      networks: Type.Array(Type.String()),
      devices: Type.Integer(),
      terminals: Type.Integer(),
      drops: Drops,
    }),
    later: Type.Object({ networks: Type.Integer(), devices: Type.Integer() }),
  }),
  example: (seed) => ({ macs: [seed.station.mac], list: 'blocked' as const }),
});

export const unblock = endpoint({
  ...writes,
  effect: 'device',
  object: { gwids: 'network' },
  path: '/api/v3/user_online/unblock',
  summary:
    'Takes MACs off their list, blocked or allowed; with `gwids` only those networks are taken out of an entry that names networks. The networks where the clients were last get the list at once, the others when `elsewhere` says.',
  body: Type.Object({ macs: Macs, gwids: Scope, elsewhere: When }),
  data: Listed,
  example: (seed) => ({ macs: [seed.blockedStation.mac] }),
});

export const allow = endpoint({
  ...writes,
  object: {},
  path: '/api/v3/user_online/allow',
  summary: 'Puts MACs on the list of those that are never blocked; a blocked one is unblocked. 4106 beyond 1000.',
  effect: 'device',
  body: Type.Object({ macs: Macs, elsewhere: When }),
  data: Listed,
  example: (seed) => ({ macs: [seed.station.mac] }),
});

export const applied = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/user_online/applied',
  summary:
    'On how many access points and gateways the list of blocked terminals is in force, by the devices’ own acknowledgement.',
  body: Empty,
  data: Type.Object({
    blocked: Type.Integer(),
    /** Enforcing the list. */
    managed: Type.Integer(),
    /** These also block wired clients. */
    gateways: Type.Integer(),
    /** Acknowledged their newest configuration. */
    in_force: Type.Integer(),
    later: Type.Integer(),
    unmanaged: Type.Integer(),
    /** Their agent cannot block clients. */
    too_old: Type.Integer(),
    /** Sent, not acknowledged; the first ones. */
    waiting: Type.Array(
      Type.Object({
        serial: Serial,
        gwid: Nullable(Id),
        device: Type.String(),
        sync: Nullable(Words(syncStates)),
        status: Words(deviceStatuses),
      }),
    ),
  }),
  example: () => ({}),
});

export const reveal = endpoint({
  ...writes,
  object: { mac: 'station' },
  path: '/api/v3/user_online/reveal',
  summary: 'Shows the whole portal account of a client; the operation log records the view.',
  body: Type.Object({ mac: Mac }),
  data: Type.Object({ account: Nullable(Type.String()) }),
  example: (seed) => ({ mac: seed.station.mac }),
});

const { tab, ...rest } = filters;
export const exportList = endpoint({
  ...writes,
  permission: 'user.read',
  object: { gwid: 'network', serial: 'device' },
  path: '/api/v3/user_online/export',
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Clients as a file, filtered and ordered like the list, or the sessions of one (`mac`); phone numbers are masked. The address works once, for 60 s; the operation log records the download.',
  body: Type.Object({
    tab,
    ...rest,
    keyword: Keyword,
    sort: Type.Optional(Words(sorts)),
    order: Type.Optional(Words(['asc', 'desc'])),
    mac: Type.Optional(Mac),
    format: Words(exportFormats),
  }),
  data: Download,
  example: () => ({ format: 'csv' as const }),
});
