import { Type } from 'typebox';
import { deviceKinds, deviceStatuses, gatewayReasons, syncStates, unbindParts } from './enums.ts';
import { templateKinds } from './layer-shapes.ts';
import { FreeText, Id, Keyword, Nullable, Serial, Time, Words } from './shapes.ts';

export const Name = Type.String({ rule: 'nameText', minLength: 1, maxLength: 64 });
export const Remark = FreeText(64);
export const Tags = Type.Array(FreeText(32), {
  maxItems: 20,
  uniqueItems: true,
});

/** Kept while offline; null before the first report. */
const latest = {
  as_of: Nullable(Time),
  /** Seconds since boot. */
  running_time: Nullable(Type.Integer()),
  /** Percent. */
  cpu: Nullable(Type.Number()),
  /** Bytes. */
  mem_used: Nullable(Type.Integer()),
  mem_total: Nullable(Type.Integer()),
  /** Clients in the last report. */
  online_user: Nullable(Type.Integer()),
  /** Null: not reported. */
  connections: Nullable(Type.Integer()),
  connections_max: Nullable(Type.Integer()),
};

const standing = {
  /** Catalogue key (`job.<reason>`) or device wording. */
  sync_reason: Nullable(Type.String()),
  /** Commit-confirm deadline; null unless applying. */
  trial_until: Nullable(Time),
  /** Null unless reverted. */
  returned_at: Nullable(Time),
};

/** Of the gateway, or the only device. */
export const NetworkRow = Type.Object({
  gwid: Id,
  remark: Type.String(),
  tags: Type.Array(Type.String()),
  status: Words(deviceStatuses),
  status_since: Nullable(Time),
  last_seen: Nullable(Time),
  sn: Nullable(Serial),
  has_gateway: Type.Boolean(),
  model: Nullable(Type.String()),
  version: Nullable(Type.String()),
  wan_ip: Nullable(Type.String()),
  device_num: Type.Integer(),
  ap_num: Type.Integer(),
  ap_online_num: Type.Integer(),
  /** Null: unmanaged. */
  sync_state: Nullable(Words(syncStates)),
  ...standing,
  bind_time: Time,
  ...latest,
});

export const NetworkListed = Type.Intersect([
  NetworkRow,
  Type.Object({
    /** Delegated to another account. */
    hosted: Type.Boolean(),
    /** If it runs another. */
    newer_version: Nullable(Type.String()),
    /** Null: never. */
    last_backup_at: Nullable(Time),
    /** Five-minute mean of the WAN uplinks. */
    down_bps: Nullable(Type.Number()),
    up_bps: Nullable(Type.Number()),
  }),
]);

export const DeviceRow = Type.Object({
  serial: Serial,
  mac: Type.String(),
  gwid: Nullable(Id),
  /** Not joined: a person decides. */
  wanted_gwid: Nullable(Id),
  /** False: no settings before a confirmation. */
  confirmed: Type.Boolean(),
  network: Nullable(Type.String()),
  remark: Type.String(),
  kind: Words(deviceKinds),
  is_gateway: Type.Boolean(),
  tags: Type.Array(Type.String()),
  group: Nullable(Type.Object({ id: Id, name: Type.String() })),
  model: Nullable(Type.String()),
  version: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  status: Words(deviceStatuses),
  status_since: Nullable(Time),
  last_seen: Nullable(Time),
  online_since: Nullable(Time),
  bind_time: Time,
  sync_state: Nullable(Words(syncStates)),
  ...standing,
  /** Passed health checks, percent. */
  sanity: Nullable(Type.Integer()),
  ...latest,
});

/** As last reported; null: unknown. */
export const WanReport = Type.Object({
  interface: Type.String(),
  address: Nullable(Type.String()),
  gateway: Nullable(Type.String()),
  /** By probes from the uplink's own address; null before the first. */
  alive: Nullable(Type.Boolean()),
  /** Mean of answered probes. */
  latency_ms: Nullable(Type.Number()),
  /** Lost probes, percent. */
  loss_pct: Nullable(Type.Number()),
  since: Nullable(Time),
});

/** From an edge agent's last report. */
export const GatewayFacts = Type.Object({
  /** Null: not reported; empty: none. */
  lines: Nullable(Type.Array(WanReport)),
  /** Bytes of the agent's file system. */
  disk: Nullable(Type.Object({ total: Type.Integer(), free: Type.Integer() })),
  gateway_reason: Nullable(Words(gatewayReasons)),
});

export const RadioReport = Type.Object({
  band: Nullable(Type.String()),
  channel: Nullable(Type.Integer()),
  /** MHz */
  width: Nullable(Type.Integer()),
  power_dbm: Nullable(Type.Number()),
  util_pct: Nullable(Type.Number()),
  noise_dbm: Nullable(Type.Number()),
  clients: Nullable(Type.Integer()),
  ssids: Type.Array(Type.String()),
});

/** As last reported; null: unknown. */
export const Uplink = Type.Object({
  /** Own upstream port: `WAN`. */
  port: Type.String(),
  carrier: Nullable(Type.Boolean()),
  /** Mbit/s. */
  speed: Nullable(Type.Integer()),
  /** Name of the LLDP peer. */
  switch_name: Nullable(Type.String()),
  switch_port: Nullable(Type.String()),
});

/** A port by the last report; radios are none. */
export const DevicePort = Type.Object({
  name: Type.String(),
  /** Towards the internet. */
  uplink: Type.Boolean(),
  up: Type.Boolean(),
  /** Mbit/s; null while the link is down. */
  speed: Nullable(Type.Integer()),
  /** PoE power; null: none reported. */
  watts: Nullable(Type.Number()),
});

export const SettingsInForce = Type.Object({
  /** dBm; null: no minimum. */
  minimum_rssi: Nullable(Type.Integer()),
  client_limits: Type.Array(Type.Object({ ssid: Type.String(), limit: Type.Integer() })),
  /** AC template first. */
  templates: Type.Array(
    Type.Object({ kind: Words(templateKinds), id: Id, name: Type.String(), version: Type.Integer() }),
  ),
});

export const ApRow = Type.Intersect([
  DeviceRow,
  Type.Object({
    radios: Type.Array(RadioReport),
    uplink: Nullable(Uplink),
    /** Five-minute mean through the radios. */
    down_bps: Nullable(Type.Number()),
    up_bps: Nullable(Type.Number()),
    /** If it runs another. */
    newer_version: Nullable(Type.String()),
    /** Requires the permission for settings. */
    settings: Nullable(SettingsInForce),
  }),
]);

export const DeviceEvent = Type.Object({
  at: Time,
  type: Type.String(),
  payload: Type.Unknown(),
});

export const StatusCounts = Type.Object({
  total: Type.Integer(),
  online: Type.Integer(),
  offline: Type.Integer(),
  restarting: Type.Integer(),
  never_connected: Type.Integer(),
  unknown: Type.Integer(),
});

const Model = Type.Optional(Type.String({ maxLength: 128 }));

/** Newer firmware exists for the device, or one of the network. */
const Firmware = Type.Optional(Words(['outdated'] as const));

export const networkFilters = {
  status: Type.Optional(Words(deviceStatuses)),
  sync_state: Type.Optional(Words(syncStates)),
  model: Model,
  version: Type.Optional(Type.String({ maxLength: 128 })),
  firmware: Firmware,
  tag: Type.Optional(Type.String({ maxLength: 32 })),
  /** None, or none within seven or thirty days. */
  backup: Type.Optional(Words(['none', 'week', 'month'] as const)),
  hosting: Type.Optional(Words(['hosted', 'unhosted'] as const)),
};

/** A tag may be the network's; `group_id` null: no group. */
export const deviceFilters = {
  gwid: Type.Optional(Id),
  kind: Type.Optional(Words(deviceKinds)),
  status: Type.Optional(Words(deviceStatuses)),
  sync_state: Type.Optional(Words(syncStates)),
  model: Model,
  version: Type.Optional(Type.String({ maxLength: 128 })),
  firmware: Firmware,
  tag: Type.Optional(Type.String({ maxLength: 32 })),
  group_id: Type.Optional(Nullable(Id)),
  template_id: Type.Optional(Id),
  /** Excludes devices that never connected. */
  radio: Type.Optional(Words(['single', 'dual', 'triple'] as const)),
  /** Last full hour: utilization ≥ 70 %, weak clients ≥ 25 %, noise ≥ -80 dBm. */
  air: Type.Optional(Words(['busy', 'weak', 'noisy'] as const)),
};

export const Removed = Type.Object({
  devices: Type.Integer(),
  removed: Type.Array(Type.Object({ part: Words(unbindParts), count: Type.Integer() })),
});

/** A mismatch fails with 4104. */
const Seen = Type.Integer({ minimum: 1 });

export const AllNetworks = Type.Object({ ...networkFilters, keyword: Keyword, total: Seen });
export const AllDevices = Type.Object({ ...deviceFilters, keyword: Keyword, total: Seen });

/** Ids or all results; exactly one. */
export const chosenNetworks = {
  gwids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  all: Type.Optional(AllNetworks),
};

/** Ids or all results; exactly one. */
export const chosenDevices = {
  serials: Type.Optional(Type.Array(Serial, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  all: Type.Optional(AllDevices),
};
