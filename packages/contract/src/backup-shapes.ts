import { type Static, Type } from 'typebox';
import { bands, Change, Country, configurationLimits, RadioList, SsidInput } from './configuration-shapes.ts';
import { deviceKinds, deviceStatuses } from './enums.ts';
import { GatewaySettings } from './gateway-shapes.ts';
import { templateKinds } from './layer-shapes.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

/** Why a backup was made: by the schedule, by somebody, before a change of settings, before an upgrade, or brought as a file. */
export const backupTypes = ['auto', 'manual', 'pre_change', 'pre_upgrade', 'uploaded'] as const;
export type BackupType = (typeof backupTypes)[number];

/** What a backup holds, and what of it is restored: settings of the network's wireless, of its gateway, of single devices, and the templates that they run. */
export const backupSections = ['wireless', 'gateway', 'devices', 'templates'] as const;
export type BackupSection = (typeof backupSections)[number];

/** How often a network is backed up by itself, in the account's time zone. */
export const backupCycles = ['off', 'daily', 'weekly'] as const;
export type BackupCycle = (typeof backupCycles)[number];

/** Sizes of backups. */
export const backupLimits = {
  /** Newest ones that are kept, and newest of so many weeks and months; pinned ones beside them. */
  kept: { newest: 30, weeks: 12, months: 12 },
  pinned: 20,
  noteLength: 200,
  /** Characters of a backup's file. */
  fileLength: 1_500_000,
  filePassword: { min: 8, max: 64 },
  /** Differences that a comparison lists. */
  changes: 300,
  /** Seconds within which a gateway that tries a restored configuration has returned by itself. */
  returnSeconds: 300,
} as const;

/** Settings of one device that differ from its network's. */
export const BackupDevice = Type.Object({
  serial: Serial,
  name: Type.String({ maxLength: 128 }),
  kind: Words(deviceKinds),
  radios: RadioList,
  ssids_off: Type.Array(Id, { maxItems: configurationLimits.ssidsPerNetwork }),
  lan_address: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 18 }),
});

/** A template's version, for the network (`serial` null) or for a device of it; `scope` says how the device came to it. */
export const BackupTemplate = Type.Object({
  scope: Words(['device', 'group', 'network']),
  serial: Nullable(Serial),
  group_id: Nullable(Id),
  kind: Words(templateKinds),
  layer_id: Id,
  version: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
  name: Type.String({ maxLength: 128 }),
});

/** What is meant of a network and its devices, keys included: the content of a backup. Null: nothing was ever set. */
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
  /** Missing in backups from before there were templates. */
  templates: Type.Optional(Type.Array(BackupTemplate, { maxItems: 20_000 })),
});
export type BackupContent = Static<typeof BackupContent>;

export const BackupRow = Type.Object({
  id: Id,
  gwid: Id,
  network: Type.String(),
  type: Words(backupTypes),
  /** What was about to change when it was made: a key of the catalogue, `config.cause.<cause>`. */
  cause: Nullable(Type.String()),
  /** Of the gateway, or of the device that stands for the network, when it was made. */
  model: Nullable(Type.String()),
  version: Nullable(Type.String()),
  ports: Type.Array(Type.String()),
  /** Bytes of the settings before they are sealed. */
  size: Type.Integer(),
  /** Of the sealed content, hexadecimal: two backups that share it hold the same. */
  sha256: Type.String(),
  note: Type.String(),
  pinned: Type.Boolean(),
  created_by: Type.String(),
  created_at: Time,
});

/** When a network is backed up by itself. */
export const BackupPlan = Type.Object({
  cycle: Words(backupCycles),
  /** Of the account's clock. */
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  /** 1 is Monday, 7 Sunday; of a weekly one. */
  weekday: Type.Integer({ minimum: 1, maximum: 7 }),
});
export type BackupPlan = Static<typeof BackupPlan>;

/** A network with how well it is backed up. */
export const BackupRouter = Type.Object({
  gwid: Id,
  remark: Type.String(),
  status: Words(deviceStatuses),
  model: Nullable(Type.String()),
  version: Nullable(Type.String()),
  plan: BackupPlan,
  count: Type.Integer(),
  pinned: Type.Integer(),
  /** Bytes of what is kept, each content once. */
  size: Type.Integer(),
  last_backup_at: Nullable(Time),
  last_type: Nullable(Words(backupTypes)),
});

/** What comes in the place of a port; null: nothing does. */
export const PortMap = Type.Array(
  Type.Object({
    from: Type.String({ maxLength: 16 }),
    to: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 16 }),
  }),
  { maxItems: 64 },
);
export type PortMap = Static<typeof PortMap>;

/** The band whose SSIDs take the place of another's; null: they are not restored on it. */
export const BandMap = Type.Array(Type.Object({ from: Words(bands), to: Nullable(Words(bands)) }), {
  maxItems: bands.length,
});
export type BandMap = Static<typeof BandMap>;

/** What a restore does not bring back. The first five are never in a backup. */
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

/** Differences of two backups, or of one and what is set now; secrets are masked. */
export const BackupDiff = Type.Object({
  changes: Type.Array(Change),
  /** Differences beyond those listed. */
  more: Type.Integer(),
});
