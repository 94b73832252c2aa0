import { type Static, Type } from 'typebox';
import { Id, Nullable, Time, Version, Words } from './shapes.ts';

/** 1 peer, 2 star, 3 tree. */
export const sdwanTypes = [1, 2, 3] as const;
export const sdwanModes = ['vertical', 'breakpoint', 'transit'] as const;
export type SdwanMode = (typeof sdwanModes)[number];
export const sdwanRoles = ['main', 'bak', ''] as const;
export type SdwanRole = (typeof sdwanRoles)[number];

/** `draft`: never deployed; others follow from reports. */
export const sdwanStatuses = ['draft', 'deploying', 'running', 'degraded', 'failed', 'expired'] as const;
export type SdwanStatus = (typeof sdwanStatuses)[number];
/** `waiting`: no revision or handshake yet; `down`: all tunnels. */
export const sdwanNodeStatuses = [
  'draft',
  'waiting',
  'running',
  'degraded',
  'down',
  'failed',
  'offline',
  'gone',
] as const;
export type SdwanNodeStatus = (typeof sdwanNodeStatuses)[number];

export const sdwanLimits = {
  /** Nodes per network. */
  nodes: { min: 2, max: 1000 },
  trialNodes: 20,
  trialDays: 30,
  meshNodes: 50,
  depth: 5,
  /** Oldest version of the gateway's agent. */
  firmware: '3.4.1',
  networksPerGateway: 4,
  lans: 32,
  /** Characters. */
  name: 32,
  networks: 100,
  groups: 200,
  strategies: 100,
  /** Mbit/s. */
  band: 10_000,
  /** Days; grace until tunnels are taken down. */
  warningDays: [30, 7, 1],
  graceDays: 7,
} as const;

/** Texts: `sdwan.error.<code>`. */
export const sdwanErrors = [
  'min_nodes',
  'max_nodes',
  'trial_max',
  'package_nodes',
  'package_band',
  'no_package',
  'expired',
  'mesh_max',
  'duplicate_gateway',
  'unknown_gateway',
  'not_capable',
  'too_many_networks',
  'version',
  'version_unknown',
  'main_missing',
  'main_many',
  'bak_many',
  'centre_not_allowed',
  'centre_endpoint',
  'parent_endpoint',
  'both_nat',
  'pid_missing',
  'pid_unknown',
  'pid_self',
  'pid_cycle',
  'pid_not_allowed',
  'root_many',
  'root_missing',
  'level_mismatch',
  'depth_max',
  'no_lan',
  'bad_cidr',
  'host_bits',
  'mapped_size',
  'overlap',
  'overlay_overlap',
  'wan_overlap',
  'key_missing',
  'key_duplicate',
  'key_malformed',
  'endpoint_host',
  'widthband',
  'address_duplicate',
  'host_overlap',
  'local_overlap',
  'dns_overlap',
  'console_overlap',
  'other_network',
  'lan_gone',
] as const;
export type SdwanErrorCode = (typeof sdwanErrors)[number];

/** Texts: `sdwan.candidate.<reason>`. */
export const sdwanCandidateReasons = [
  'no_gateway',
  'not_agent',
  'version',
  'version_unknown',
  'not_capable',
  'no_key',
  'too_many_networks',
] as const;
export type SdwanCandidateReason = (typeof sdwanCandidateReasons)[number];

export const SdwanType = Type.Unsafe<(typeof sdwanTypes)[number]>({ type: 'integer', enum: [...sdwanTypes] });

/** `as`: prefix of the same length for other sites (1:1 mapping). */
export const SdwanLan = Type.Object({
  prefix: Type.String({ maxLength: 18 }),
  as: Type.Optional(Type.String({ maxLength: 18 })),
});

/** Mbit/s; 0: no limit. */
const Band = Type.Integer({ minimum: 0, maximum: sdwanLimits.band });

const nodeFields = {
  /** `gwid`. */
  key: Id,
  role: Words(sdwanRoles),
  /** Parent's key in a tree, `1` for the centre; otherwise empty. */
  pid: Type.String({ maxLength: 36 }),
  /** 1: `widthband`; else `foreign_widthband`. */
  position: Type.Integer({ minimum: 1, maximum: 99 }),
  widthband: Band,
  foreign_widthband: Band,
  /** Null: the measured address. */
  host: Nullable(Type.String({ maxLength: 253 })),
  /** Its bandwidth applies instead of the node's own. */
  group_id: Nullable(Id),
};

/** A level that disagrees with `pid` is refused. */
export const SdwanNodeInput = Type.Object({
  ...nodeFields,
  level: Type.Optional(Type.Integer({ minimum: 1, maximum: sdwanLimits.nodes.max })),
  lans: Type.Array(SdwanLan, { maxItems: sdwanLimits.lans }),
});
export type SdwanNodeInput = Static<typeof SdwanNodeInput>;

export const SdwanError = Type.Object({
  code: Words(sdwanErrors),
  /** Null: the network. */
  key: Nullable(Type.String()),
  /** Such as `role` or `lans.0.prefix`; null: the whole node. */
  field: Nullable(Type.String()),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});
export type SdwanError = Static<typeof SdwanError>;

/** A free prefix for `lans[].as`. */
export const SdwanSuggestion = Type.Object({ key: Id, prefix: Type.String(), as: Type.String() });

/** The direction is that of the first dial. */
export const SdwanLink = Type.Object({
  from: Id,
  to: Id,
  /** `main`, `bak`: branch to centre; `hubs`: between centres. */
  kind: Words(['peer', 'main', 'bak', 'hubs', 'parent'] as const),
  /** Of either side; null: no report. */
  state: Nullable(Words(['up', 'down'] as const)),
  latency_ms: Nullable(Type.Number()),
  loss_pct: Nullable(Type.Number()),
  handshake_at: Nullable(Time),
  /** Since the interface came up; null: no report. */
  rx_bytes: Nullable(Type.Integer()),
  tx_bytes: Nullable(Type.Integer()),
  /** Carried, and not first choice; null: no report. */
  routes: Nullable(Type.Integer()),
  detours: Nullable(Type.Integer()),
});

export const SdwanRoute = Type.Object({
  prefix: Type.String(),
  /** Null: not mapped. */
  mapped_from: Nullable(Type.String()),
  key: Id,
});

export const SdwanNode = Type.Object({
  ...nodeFields,
  lans: Type.Array(SdwanLan),
  type: SdwanType,
  /** Its gateway has the network. */
  is_used: Type.Boolean(),
  /** 1: centre, or node of a peer network. */
  level: Type.Integer(),
  name: Type.String(),
  serial: Nullable(Type.String()),
  online: Type.Boolean(),
  status: Words(sdwanNodeStatuses),
  /** Overlay IPv4 address. */
  address: Type.String(),
  /** Null: behind NAT. */
  endpoint: Nullable(Type.String()),
  tunnels_up: Type.Integer(),
  tunnels: Type.Integer(),
  error: Nullable(Type.String()),
  reported_at: Nullable(Time),
  /** Routes not on their first choice; null: no report. */
  detours: Nullable(Type.Integer()),
  /** It has iperf3. */
  measures: Type.Boolean(),
  /** Last reported path change; null: none in 30 days. */
  path_changed_at: Nullable(Time),
});

export const SdwanNetworkRow = Type.Object({
  id: Id,
  /** Of the plan. */
  version: Version,
  name: Type.String(),
  type: SdwanType,
  mode: Words(sdwanModes),
  status: Words(sdwanStatuses),
  /** Main first. */
  centres: Type.Array(Type.String()),
  nodes: Type.Integer(),
  online: Type.Integer(),
  tunnels: Type.Integer(),
  tunnels_up: Type.Integer(),
  /** Sums, Mbit/s. */
  widthband: Type.Integer(),
  foreign_widthband: Type.Integer(),
  route_count: Type.Integer(),
  strategy_id: Nullable(Id),
  valid_until: Nullable(Time),
  created_at: Time,
  deployed_at: Nullable(Time),
});

/** Character j of row i is `1`: node i reaches LANs of node j. */
export const SdwanMatrix = Type.Object({ keys: Type.Array(Id), rows: Type.Array(Type.String()) });
