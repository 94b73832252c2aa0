import { Type } from 'typebox';
import { deviceKinds, deviceStatuses, gatewayReasons, syncStates, unbindParts } from './enums.ts';
import { templateKinds } from './layer-shapes.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

/** A name, remark or tag: name/text of the spec, 1 to 64 characters. */
export const Remark = Type.String({ rule: 'nameText', minLength: 1, maxLength: 64 });
/** Tags of a network or a device. */
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

/** A network in its list, with what other parts of the console know of it. */
export const NetworkListed = Type.Intersect([
  NetworkRow,
  Type.Object({
    /** Another account may work on it. */
    hosted: Type.Boolean(),
    /** The newest version in the catalogue of images for the device whose `version` it shows, where that runs another. */
    newer_version: Nullable(Type.String()),
    /** When its settings were last backed up; null: never. */
    last_backup_at: Nullable(Time),
    /** Through its gateway's lines, as a mean over the last five minutes that are counted; null where no gateway tells. */
    down_bps: Nullable(Type.Number()),
    up_bps: Nullable(Type.Number()),
  }),
]);

/** An access point, switch or gateway. */
export const DeviceRow = Type.Object({
  serial: Serial,
  mac: Type.String(),
  gwid: Nullable(Id),
  /** Name of its network. */
  network: Nullable(Type.String()),
  remark: Type.String(),
  kind: Words(deviceKinds),
  /** Whether it is its network's gateway. */
  is_gateway: Type.Boolean(),
  tags: Type.Array(Type.String()),
  /** The group that it is in. */
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

/** Where a device is connected towards the internet, as it last reported; what it could not tell is null. */
export const Uplink = Type.Object({
  /** Its own socket: `WAN`. */
  port: Type.String(),
  carrier: Nullable(Type.Boolean()),
  /** Mbit/s. */
  speed: Nullable(Type.Integer()),
  /** What is at the other end, by LLDP: its name, and the socket there. */
  switch_name: Nullable(Type.String()),
  switch_port: Nullable(Type.String()),
});

/** Wireless settings in force on a device that a list shows; all of them, with where each comes from: `ap/effective/get`. */
export const SettingsInForce = Type.Object({
  /** dBm below which a terminal is not let in; null: no minimum. */
  minimum_rssi: Nullable(Type.Integer()),
  /** SSIDs that it sends out and that let in so many terminals at most. */
  client_limits: Type.Array(Type.Object({ ssid: Type.String(), limit: Type.Integer() })),
  /** The templates that it is to run, that of the controller first. */
  templates: Type.Array(
    Type.Object({ kind: Words(templateKinds), id: Id, name: Type.String(), version: Type.Integer() }),
  ),
});

/** A device in the list of access points, with its radios as it last reported them. */
export const ApRow = Type.Intersect([
  DeviceRow,
  Type.Object({
    radios: Type.Array(RadioReport),
    uplink: Nullable(Uplink),
    /** Mean over the last five minutes that are counted, bit/s through the radios; null without a report in them. */
    down_bps: Nullable(Type.Number()),
    up_bps: Nullable(Type.Number()),
    /** The newest version in the catalogue of images for its model, where it runs another. */
    newer_version: Nullable(Type.String()),
    /** Null for whoever may not read settings. */
    settings: Nullable(SettingsInForce),
  }),
]);

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

const Keyword = Type.Optional(Type.String({ maxLength: 100 }));
const Model = Type.Optional(Type.String({ maxLength: 128 }));

/** Devices of which the catalogue has an image that is newer than what they run; networks that have such a device. */
const Firmware = Type.Optional(Words(['outdated'] as const));

/** What the list of networks is narrowed by, beside its keyword. */
export const networkFilters = {
  status: Type.Optional(Words(deviceStatuses)),
  sync_state: Type.Optional(Words(syncStates)),
  model: Model,
  version: Type.Optional(Type.String({ maxLength: 128 })),
  firmware: Firmware,
  tag: Type.Optional(Type.String({ maxLength: 32 })),
  /** By the newest backup: there is none, or none of the last seven or thirty days. */
  backup: Type.Optional(Words(['none', 'week', 'month'] as const)),
  /** Whether another account may work on it. */
  hosting: Type.Optional(Words(['hosted', 'unhosted'] as const)),
};

/** What the list of devices is narrowed by, beside its keyword. A tag is its own or its network's; `group_id` null: those in no group. */
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
  /** The template that it is to run, in whatever version. */
  template_id: Type.Optional(Id),
  /** In how many bands it has a radio; what never connected is in none of these. */
  radio: Type.Optional(Words(['single', 'dual', 'triple'] as const)),
  /** Over the last whole hour: busy air (70 % and more), weak terminals (a quarter and more), noise (-80 dBm and more). */
  air: Type.Optional(Words(['busy', 'weak', 'noisy'] as const)),
};

/** What was taken away with devices, counted. */
export const Removed = Type.Object({
  devices: Type.Integer(),
  removed: Type.Array(Type.Object({ part: Words(unbindParts), count: Type.Integer() })),
});

/** How many results the person saw: where there are others by now, nothing is done (4104). */
const Seen = Type.Integer({ minimum: 1 });

/** Every result of the list of networks, or of devices, in place of their ids. */
export const AllNetworks = Type.Object({ ...networkFilters, keyword: Keyword, total: Seen });
export const AllDevices = Type.Object({ ...deviceFilters, keyword: Keyword, total: Seen });

/** Which networks: these, or every result of the list; one of the two. */
export const chosenNetworks = {
  gwids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  all: Type.Optional(AllNetworks),
};

/** Which devices: these, or every result of the list; one of the two. */
export const chosenDevices = {
  serials: Type.Optional(Type.Array(Serial, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  all: Type.Optional(AllDevices),
};
