import { Type } from 'typebox';
import { deviceKinds, deviceStatuses, gatewayReasons, syncStates } from './enums.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

/** A name, remark or tag: name/text of the spec, 1 to 64 characters. */
export const Remark = Type.String({ rule: 'nameText', minLength: 1, maxLength: 64 });
/** Tags of a network. */
export const Tags = Type.Array(Type.String({ rule: 'nameText', minLength: 1, maxLength: 32 }), {
  maxItems: 20,
  uniqueItems: true,
});

/** Last reported values; null until a first report, and kept, with their time, while the device is away. */
const latest = {
  /** When the values were reported. */
  as_of: Nullable(Time),
  /** Seconds since the device's boot. */
  running_time: Nullable(Type.Integer()),
  /** Percent. */
  cpu: Nullable(Type.Number()),
  /** Bytes. */
  mem_used: Nullable(Type.Integer()),
  mem_total: Nullable(Type.Integer()),
  /** Terminals seen in the last report. */
  online_user: Nullable(Type.Integer()),
  /** Entries in the kernel's table of connections, and how many it takes; null where the device does not tell. */
  connections: Nullable(Type.Integer()),
  connections_max: Nullable(Type.Integer()),
};

/** What explains where a configuration stands. */
const standing = {
  /** A key of the catalogue (`job.<reason>`) or the device's own words; null where there is nothing to say. */
  sync_reason: Nullable(Type.String()),
  /**
   * While it is applied: a gateway tries it out, and returns to the one before by itself at this time unless it reaches
   * the console. When it failed: it was tried out so, and has returned.
   */
  trial_until: Nullable(Time),
};

/** A network; `sn`, `model`, `version` and the values below them are its gateway's, or its only device's. */
export const NetworkRow = Type.Object({
  gwid: Id,
  remark: Type.String(),
  tags: Type.Array(Type.String()),
  status: Words(deviceStatuses),
  /** Since when it has this status; null when that is not known. */
  status_since: Nullable(Time),
  last_seen: Nullable(Time),
  sn: Nullable(Serial),
  has_gateway: Type.Boolean(),
  model: Nullable(Type.String()),
  version: Nullable(Type.String()),
  /** The public address it connects from. */
  wan_ip: Nullable(Type.String()),
  device_num: Type.Integer(),
  ap_num: Type.Integer(),
  ap_online_num: Type.Integer(),
  /** The worst of its devices'; null when nothing is managed yet. */
  sync_state: Nullable(Words(syncStates)),
  ...standing,
  bind_time: Time,
  ...latest,
});

/** An access point, switch or gateway. */
export const DeviceRow = Type.Object({
  serial: Serial,
  mac: Type.String(),
  gwid: Nullable(Id),
  remark: Type.String(),
  kind: Words(deviceKinds),
  /** Whether it is its network's gateway. */
  is_gateway: Type.Boolean(),
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
  /** Share of the device's own health checks that passed, in percent. */
  sanity: Nullable(Type.Integer()),
  ...latest,
});

/** A line to the internet as the gateway last reported it; what it could not tell is null. */
export const LineReport = Type.Object({
  /** Name in the device's report: `up0v0`. */
  interface: Type.String(),
  address: Nullable(Type.String()),
  gateway: Nullable(Type.String()),
  /** By probes from the line's own address; null while none has decided. */
  alive: Nullable(Type.Boolean()),
  /** Mean of the answered probes. */
  latency_ms: Nullable(Type.Number()),
  /** Percent of the probes without an answer. */
  loss_pct: Nullable(Type.Number()),
  /** Since when it is as it is, by the device's clock. */
  since: Nullable(Time),
});

/** What only a gateway on our own agent tells, as of its last report. */
export const GatewayFacts = Type.Object({
  /** Null when nobody tells; empty when the gateway has none. */
  lines: Nullable(Type.Array(LineReport)),
  /** Bytes of the file system that the agent keeps its things on. */
  disk: Nullable(Type.Object({ total: Type.Integer(), free: Type.Integer() })),
  /** Why nothing of this is known; null when it is. */
  gateway_reason: Nullable(Words(gatewayReasons)),
});

/** A radio as the device last reported it. */
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

/** Something a device told of itself. */
export const DeviceEvent = Type.Object({
  at: Time,
  type: Type.String(),
  payload: Type.Unknown(),
});

/** How many of a kind are in which status. */
export const StatusCounts = Type.Object({
  total: Type.Integer(),
  online: Type.Integer(),
  offline: Type.Integer(),
  restarting: Type.Integer(),
  never_connected: Type.Integer(),
  unknown: Type.Integer(),
});
