import { type Static, Type } from 'typebox';
import { serviceGates } from './gateway-limits.ts';
import { FreeText, Id, Nullable, Time, Words } from './shapes.ts';

export const bands = ['2G', '5G', '6G'] as const;
export type Band = (typeof bands)[number];

/** `psk2`, `sae-mixed`, `sae`: WPA2, WPA2/WPA3, WPA3 personal; `wpa2`, `wpa3-mixed`, `wpa3`: enterprise (802.1X). */
export const securities = ['open', 'owe', 'psk2', 'sae-mixed', 'sae', 'wpa2', 'wpa3-mixed', 'wpa3'] as const;
export type Security = (typeof securities)[number];
export const keyedSecurities: readonly Security[] = ['psk2', 'sae-mixed', 'sae'];
export const enterpriseSecurities: readonly Security[] = ['wpa2', 'wpa3-mixed', 'wpa3'];
export const multiKeySecurities: readonly Security[] = ['psk2'];
/** Securities allowed on 6 GHz. */
export const sixGigahertzSecurities: readonly Security[] = ['owe', 'sae-mixed', 'sae', 'wpa3'];

export const radioModes = ['HT', 'VHT', 'HE', 'EHT'] as const;
export type RadioMode = (typeof radioModes)[number];

export const radioWidths = [20, 40, 80, 160, 320] as const;
export type RadioWidth = (typeof radioWidths)[number];

/** dBm depend on what the radio reaches. */
export const powerLevels = ['max', 'high', 'medium', 'low'] as const;
export type PowerLevel = (typeof powerLevels)[number];

export const radioFields = ['enabled', 'channel', 'width', 'mode', 'power'] as const;

/** Ascending precedence. `ac` and `wireless` are templates. */
export const valueSources = ['default', 'ac', 'wireless', 'network', 'group', 'device'] as const;
export type ValueSource = (typeof valueSources)[number];

export const configurationLimits = {
  ssidsPerNetwork: 16,
  /** Limit of current radio drivers. */
  ssidsPerBand: 8,
  vlan: { min: 2, max: 4050 },
  maximumClients: { min: 1, max: 2007 },
  rateMbps: { min: 1, max: 10_000 },
  keysPerSsid: 64,
  /** Range of the access point's schema. */
  radiusPort: { min: 1024, max: 65_535 },
  lanPrefix: { min: 16, max: 28 },
} as const;

/** The compiled document omits, alters or cannot express a setting. */
export const findingSeverities = ['left_out', 'adjusted', 'wrong'] as const;
export const findingCodes = [
  'no_radio',
  'radio_off',
  'security_6g',
  'key_hex',
  'ssid_left_out',
  'captive_firmware',
  'captive_keys',
  'captive_second',
  'too_many_ssids',
  'not_wireless',
  'mode_lowered',
  'width_lowered',
  'width_unknown',
  'channel_unsupported',
  'channel_aligned',
  'dfs_restricted',
  'country_unsupported',
  'lan_overlap',
  'subnets_collide',
  'addresses_unknown',
  'vlan_unsupported',
  'schema_unknown',
  'too_large',
  'not_valid',
  'gateway_firmware',
  'lan_by_network',
  'too_many_lines',
  'port_missing',
  'no_vlan_tags',
  'mtu_unfit',
  'agent_outdated',
  'no_shaping',
  'no_ifb',
  'no_dhcp_client',
  'no_dnsmasq',
  'no_reboot',
  'no_blocking',
  'not_switch',
  'ports_unknown',
  'port_gone',
  'port_speed_unknown',
  'port_is_uplink',
  'port_uplink_kept',
  'port_uplink_unknown',
  'ssh_closed',
  'port53_in_use',
  'port53_taken',
  'port53_no_service',
  ...serviceGates,
] as const;
export type FindingCode = (typeof findingCodes)[number];
export type FindingSeverity = (typeof findingSeverities)[number];

function NullableInteger({ min, max }: { min: number; max: number }) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: min, maximum: max });
}

function NullableWord<const T extends readonly (string | number)[]>(values: T) {
  return Type.Unsafe<T[number] | null>({ enum: [...values, null] });
}

const ssidFields = {
  enabled: Type.Boolean(),
  name: Type.String({ rule: 'ssid' }),
  security: Words(securities),
  bands: Type.Array(Words(bands), { minItems: 1, maxItems: bands.length, uniqueItems: true }),
  /** Null: the network's untagged LAN. */
  vlan: NullableInteger(configurationLimits.vlan),
  hidden: Type.Boolean(),
  isolate: Type.Boolean(),
  /** Per access point and band. */
  maximum_clients: NullableInteger(configurationLimits.maximumClients),
  /** Mbit/s from the client's view; null: unlimited. */
  down_mbps: NullableInteger(configurationLimits.rateMbps),
  up_mbps: NullableInteger(configurationLimits.rateMbps),
};

const Key = Type.Optional(Type.String({ rule: 'wifiKey' }));

const radiusServerFields = {
  /** Host name or IPv4 address. */
  host: Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$', hint: 'hostName' }),
  port: Type.Integer({ minimum: configurationLimits.radiusPort.min, maximum: configurationLimits.radiusPort.max }),
};

/** A missing secret stays while host and port do. */
const RadiusServerInput = Type.Object({
  ...radiusServerFields,
  secret: Type.Optional(Type.String({ rule: 'printable', minLength: 1, maxLength: 63 })),
});
const RadiusServerRow = Type.Object({ ...radiusServerFields, secret_set: Type.Boolean() });

const ssidKeyFields = {
  label: FreeText(32),
  mac: Nullable(Type.String({ rule: 'mac', minLength: 1 })),
  /** Null: VLAN of the SSID. */
  vlan: NullableInteger(configurationLimits.vlan),
};

/** A known `id` without `key` keeps its key; secrets are never returned. */
export const SsidInput = Type.Object({
  id: Type.Optional(Id),
  ...ssidFields,
  key: Key,
  radius: Type.Optional(Nullable(Type.Object({ auth: RadiusServerInput, acct: Nullable(RadiusServerInput) }))),
  /** Multi-PSK keys. A known `id` keeps its key. */
  keys: Type.Optional(
    Type.Array(Type.Object({ id: Type.Optional(Id), ...ssidKeyFields, key: Key }), {
      maxItems: configurationLimits.keysPerSsid,
    }),
  ),
});
export type SsidInput = Static<typeof SsidInput>;

/** `radius` and `keys` are absent if unset. */
export const SsidRow = Type.Object({
  id: Id,
  ...ssidFields,
  key_set: Type.Boolean(),
  radius: Type.Optional(Type.Object({ auth: RadiusServerRow, acct: Nullable(RadiusServerRow) })),
  keys: Type.Optional(Type.Array(Type.Object({ id: Id, ...ssidKeyFields, key_set: Type.Boolean() }))),
});
export type SsidRow = Static<typeof SsidRow>;

/** Null inherits: device, network, default. */
export const RadioSettings = Type.Object({
  band: Words(bands),
  enabled: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
  channel: Type.Unsafe<number | 'auto' | null>({
    type: ['integer', 'string', 'null'],
    minimum: 1,
    maximum: 233,
    pattern: '^auto$',
    hint: 'auto',
  }),
  width: NullableWord(radioWidths),
  mode: NullableWord(radioModes),
  power: NullableWord(powerLevels),
});
export type RadioSettings = Static<typeof RadioSettings>;

export const RadioList = Type.Array(RadioSettings, { maxItems: bands.length });
/** ISO 3166; null: the device's own. */
export const Country = Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^[A-Z]{2}$', hint: 'country' });

function Sourced<T extends Parameters<typeof Type.Array>[0]>(value: T) {
  return Type.Object({
    value,
    source: Words(valueSources),
    locked: Type.Boolean(),
  });
}

export const EffectiveRadio = Type.Object({
  band: Words(bands),
  enabled: Sourced(Type.Boolean()),
  channel: Sourced(Type.Unsafe<number | 'auto'>({ type: ['integer', 'string'] })),
  width: Sourced(Type.Unsafe<RadioWidth>({ enum: [...radioWidths] })),
  mode: Sourced(Words(radioModes)),
  power: Sourced(Words(powerLevels)),
});
export type EffectiveRadio = Static<typeof EffectiveRadio>;

/** Not applicable on a device. `field`: input path, `ssids.0.bands`. */
export const Finding = Type.Object({
  severity: Words(findingSeverities),
  code: Words(findingCodes),
  field: Type.String(),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});
export type Finding = Static<typeof Finding>;

/** Secrets are masked. Null: absent. */
export const Change = Type.Object({ path: Type.String(), before: Type.Unknown(), after: Type.Unknown() });
export type Change = Static<typeof Change>;

/** Strongest first. `no_restart`: no radio or SSID restarts. */
export const dropCauses = [
  'first',
  'radio_changed',
  'ssid_added',
  'ssid_renamed',
  'ssid_removed',
  'ssid_changed',
  'no_restart',
] as const;
export type DropCause = (typeof dropCauses)[number];

export const Drops = Type.Array(
  Type.Object({
    cause: Words(dropCauses),
    devices: Type.Integer(),
    radios: Type.Integer(),
    terminals: Type.Integer(),
  }),
);

export const versionOutcomes = ['waiting', 'sent', 'applied', 'rejected', 'failed', 'superseded'] as const;
export type VersionOutcome = (typeof versionOutcomes)[number];

export const VersionRow = Type.Object({
  uuid: Type.Integer(),
  /** Catalogue key `config.cause.<cause>`. */
  cause: Type.String(),
  author: Type.String(),
  created_at: Time,
  sent_at: Nullable(Time),
  outcome: Words(versionOutcomes),
  rejected: Type.Array(Type.String()),
  bytes: Type.Integer(),
});
