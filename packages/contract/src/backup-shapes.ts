import { type Static, Type } from 'typebox';
import { bands, Change, Country, configurationLimits, RadioList, SsidInput } from './configuration-shapes.ts';
import { deviceKinds, deviceStatuses } from './enums.ts';
import { GatewaySettings } from './gateway-shapes.ts';
import { templateKinds } from './layer-shapes.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';
import { PortList } from './switch-shapes.ts';

export const backupTypes = ['auto', 'manual', 'pre_change', 'pre_upgrade', 'uploaded'] as const;
export type BackupType = (typeof backupTypes)[number];

export const backupSections = ['wireless', 'gateway', 'devices', 'templates'] as const;
export type BackupSection = (typeof backupSections)[number];

export const backupCycles = ['off', 'daily', 'weekly'] as const;
export type BackupCycle = (typeof backupCycles)[number];

export const backupLimits = {
  /** Newest, and newest per week and month; pinned ones in addition. */
  kept: { newest: 30, weeks: 12, months: 12 },
  pinned: 20,
  noteLength: 200,
  /** Maximum characters. */
  fileLength: 1_500_000,
  filePassword: { min: 8, max: 64 },
  changes: 300,
  /** Before a gateway reverts an unconfirmed restore. */
  returnSeconds: 300,
} as const;

/** Override the network's. */
export const BackupDevice = Type.Object({
  serial: Serial,
  name: Type.String({ maxLength: 128 }),
  kind: Words(deviceKinds),
  radios: RadioList,
  ssids_off: Type.Array(Id, { maxItems: configurationLimits.ssidsPerNetwork }),
  lan_address: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 18 }),
  /** Missing in older backups. */
  ports: Type.Optional(PortList),
});

/** `serial` null: network. `scope`: of the device's assignment. */
export const BackupTemplate = Type.Object({
  scope: Words(['device', 'group', 'network']),
  serial: Nullable(Serial),
  group_id: Nullable(Id),
  kind: Words(templateKinds),
  layer_id: Id,
  version: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  name: Type.String({ maxLength: 128 }),
});

/** Intended settings with keys. Null: never set. */
export const BackupContent = Type.Object({
  format: Type.Literal(1),
  wireless: Nullable(
    Type.Object({
      country: Country,
      ssids: Type.Array(SsidInput, { maxItems: configurationLimits.ssidsPerNetwork }),
      radios: RadioList,
    }),
  ),
  gateway: Nullable(GatewaySettings),
  devices: Type.Array(BackupDevice, { maxItems: 10_000 }),
  /** Missing in older backups. */
  templates: Type.Optional(Type.Array(BackupTemplate, { maxItems: 20_000 })),
});
export type BackupContent = Static<typeof BackupContent>;

export const BackupRow = Type.Object({
  id: Id,
  gwid: Id,
  network: Type.String(),
  type: Words(backupTypes),
  /** `config.cause.<cause>` of the pending change. */
  cause: Nullable(Type.String()),
  /** Of the gateway, or the representative device. */
  model: Nullable(Type.String()),
  version: Nullable(Type.String()),
  ports: Type.Array(Type.String()),
  size: Type.Integer(),
  /** Of the sealed content; equal for equal content. */
  sha256: Type.String(),
  note: Type.String(),
  pinned: Type.Boolean(),
  created_by: Type.String(),
  created_at: Time,
});

export const BackupPlan = Type.Object({
  cycle: Words(backupCycles),
  /** In the account's time zone. */
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  weekday: Type.Integer({ minimum: 1, maximum: 7 }),
});
export type BackupPlan = Static<typeof BackupPlan>;

export const BackupRouter = Type.Object({
  gwid: Id,
  remark: Type.String(),
  status: Words(deviceStatuses),
  model: Nullable(Type.String()),
  version: Nullable(Type.String()),
  plan: BackupPlan,
  count: Type.Integer(),
  pinned: Type.Integer(),
  size: Type.Integer(),
  last_backup_at: Nullable(Time),
  last_type: Nullable(Words(backupTypes)),
});

/** Null: not restored. */
export const PortMap = Type.Array(
  Type.Object({
    from: Type.String({ maxLength: 16 }),
    to: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 16 }),
  }),
  { maxItems: 64 },
);
export type PortMap = Static<typeof PortMap>;

export const BandMap = Type.Array(Type.Object({ from: Words(bands), to: Nullable(Words(bands)) }), {
  maxItems: bands.length,
});
export type BandMap = Static<typeof BandMap>;

/** The first five are in no backup. */
export const notRestoredCodes = [
  'firmware',
  'certificates',
  'on_device',
  'names',
  'records',
  'section_empty',
  'line_dropped',
  'port_dropped',
  'network_dropped',
  'forward_dropped',
  'route_dropped',
  'limit_dropped',
  'ssid_dropped',
  'radio_dropped',
  'group_settings',
  'device_gone',
  'device_newer',
  'template_gone',
  'group_left',
  'confirm_shortened',
] as const;
export type NotRestoredCode = (typeof notRestoredCodes)[number];

export const NotRestored = Type.Object({
  what: Words(notRestoredCodes),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});
export type NotRestored = Static<typeof NotRestored>;

/** Of two backups, or with present settings. Secrets are masked. */
export const BackupDiff = Type.Object({
  changes: Type.Array(Change),
  more: Type.Integer(),
});
