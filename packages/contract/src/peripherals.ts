import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import {
  Download,
  Empty,
  exportFormats,
  FreeText,
  Id,
  Keyword,
  ListOf,
  ListQuery,
  Nullable,
  Time,
  Words,
} from './shapes.ts';

/** Fixed words (docs/adr/0039). */
export const peripheralTypes = ['switch', 'firewall', 'server', 'camera', 'printer', 'smart_device', 'other'] as const;
export type PeripheralType = (typeof peripheralTypes)[number];

/** How the gateway probes: TCP connect, or ICMP echo. */
export const peripheralModes = ['tcp', 'icmp'] as const;

export const peripheralStatuses = ['online', 'offline', 'unknown'] as const;
export type PeripheralStatus = (typeof peripheralStatuses)[number];

/** Why a peripheral is not probed. */
export const unprobedReasons = ['no_gateway', 'unsupported', 'gateway_offline', 'waiting'] as const;
export type UnprobedReason = (typeof unprobedReasons)[number];

/** Per network and per call; days that outages are kept; port that is no screen: no page can show RDP. */
export const peripheralLimits = {
  network: 200,
  batch: 100,
  name: 64,
  group: 32,
  outageDays: 400,
  rdpPort: 3389,
} as const;

/** Any notation; empty: none. */
const Mac = Type.String({
  pattern: '^$|^[0-9A-Fa-f]{2}([:.-]?[0-9A-Fa-f]{2}){5}$',
  hint: 'mac',
  maxLength: 32,
});
const Group = FreeText(peripheralLimits.group);
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

const given = {
  gwid: Id,
  name: FreeText(peripheralLimits.name),
  type: Words(peripheralTypes),
  /** Absent: unchanged. */
  group: Type.Optional(Nullable(Group)),
  /** Private IPv4 address (RFC 1918, RFC 6598). */
  ip: Type.String({ maxLength: 15 }),
  /** For Wake-on-LAN. Absent: unchanged. */
  mac: Type.Optional(Nullable(Mac)),
  mode: Words(peripheralModes),
  /** Needed for `tcp`, null for `icmp`. */
  detect_port: Nullable(Port),
  web_port: Nullable(Port),
  shell_port: Nullable(Port),
  /** VNC, never RDP. Absent: unchanged. */
  screen_port: Type.Optional(Nullable(Port)),
};

export const PeripheralRow = Type.Object({
  id: Id,
  ...given,
  group: Nullable(Type.String()),
  /** 12 lower-case hexadecimal digits. */
  mac: Nullable(Type.String()),
  screen_port: Nullable(Port),
  network: Type.String(),
  status: Words(peripheralStatuses),
  /** Null unless the status is `unknown`. */
  reason: Nullable(Words(unprobedReasons)),
  since: Nullable(Time),
  /** Mean of the answered probes of the last 20, milliseconds. */
  rtt_ms: Nullable(Type.Number()),
  checked_at: Nullable(Time),
  last_offline_at: Nullable(Time),
  offline_count_30d: Nullable(Type.Integer()),
  /** Percent of the time in which it was probed; null: it was not. */
  availability_30d: Nullable(Type.Number()),
  /** When probing began; null: never, or 30 days ago and earlier. */
  measured_since: Nullable(Time),
});

const calls = { access: 'user', method: 'POST' } as const;
const reads = { ...calls, permission: 'network.read', effect: 'read' } as const;
const writes = { ...calls, permission: 'network.write', effect: 'write' } as const;

const sorts = [
  'name',
  'ip',
  'type',
  'group',
  'status',
  'last_offline_at',
  'offline_count_30d',
  'availability_30d',
] as const;
const filters = {
  gwid: Type.Optional(Id),
  type: Type.Optional(Words(peripheralTypes)),
  group: Type.Optional(Type.String({ maxLength: peripheralLimits.group, trim: true })),
  status: Type.Optional(Words(peripheralStatuses)),
};

const usual = (gwid: string) => ({
  gwid,
  name: 'Door-Camera',
  type: 'camera' as const,
  ip: '192.168.1.64',
  mode: 'tcp' as const,
  detect_port: 554,
  web_port: 80,
  shell_port: null,
});

export const list = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/list',
  summary:
    'Peripheral devices with their gateway’s last measurements. `unknown` has a reason. `keyword` searches name, group, address and MAC address.',
  body: ListQuery(sorts, filters),
  data: ListOf(PeripheralRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const create = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/create',
  summary: 'Adds a peripheral device. 4105 for a name or address that the network has; 4106 beyond 200 in a network.',
  body: Type.Object(given),
  data: Type.Object({ id: Id }),
  example: (seed) => usual(seed.network.gwid),
});

export const update = endpoint({
  ...writes,
  object: { id: 'peripheral', gwid: 'network' },
  path: '/api/v3/peripheral/update',
  summary:
    'Changes a peripheral device; a field that is left out stays. Another network, address or detection starts its status anew.',
  body: Type.Object({ id: Id, ...Type.Partial(Type.Object(given)).properties }),
  data: Empty,
  example: (seed) => ({ id: seed.peripheral.id, ...usual(seed.network.gwid), ip: '192.168.1.65' }),
});

export const remove = endpoint({
  ...writes,
  object: { ids: 'peripheral' },
  path: '/api/v3/peripheral/delete',
  summary: 'Deletes peripheral devices with their outages; their gateways stop probing them.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: peripheralLimits.batch, uniqueItems: true }) }),
  data: Type.Object({ deleted: Type.Integer() }),
  example: (seed) => ({ ids: [seed.peripheral.id] }),
});

export const groupList = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/group/list',
  summary: 'Groups of peripheral devices by name, with the number of their devices; of one network with `gwid`.',
  body: Type.Object({ gwid: Type.Optional(Id) }),
  data: ListOf(Type.Object({ name: Type.String(), count: Type.Integer() })),
  example: () => ({}),
});

export const groupAssign = endpoint({
  ...writes,
  object: { ids: 'peripheral' },
  path: '/api/v3/peripheral/group/assign',
  summary: 'Puts peripheral devices into a group, out of the one they were in; null takes them out of theirs.',
  body: Type.Object({
    ids: Type.Array(Id, { minItems: 1, maxItems: peripheralLimits.batch, uniqueItems: true }),
    group: Nullable(Group),
  }),
  data: Type.Object({ changed: Type.Integer() }),
  example: (seed) => ({ ids: [seed.peripheral.id], group: 'Ground floor' }),
});

export const outages = endpoint({
  ...reads,
  object: { id: 'peripheral' },
  path: '/api/v3/peripheral/outages',
  summary: 'When a peripheral device was offline, the newest first; kept for 400 days.',
  body: Type.Object({
    id: Id,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  data: ListOf(Type.Object({ began_at: Time, ended_at: Nullable(Time) })),
  example: (seed) => ({ id: seed.peripheral.id }),
});

export const exportList = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/export',
  limit: { max: 20, windowSeconds: 60 },
  summary: 'Peripheral devices as a file, filtered and ordered as the list is. The address works once, for 60 s.',
  body: Type.Object({
    ...filters,
    keyword: Keyword,
    sort: Type.Optional(Words(sorts)),
    order: Type.Optional(Words(['asc', 'desc'])),
    format: Words(exportFormats),
  }),
  data: Download,
  example: () => ({ format: 'csv' as const }),
});
