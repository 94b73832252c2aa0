import { type Static, Type } from 'typebox';
import { Id, Nullable, Time, Words } from './shapes.ts';

/** Radio bands, as the device protocol spells them. */
export const bands = ['2G', '5G', '6G'] as const;
export type Band = (typeof bands)[number];

/** Security of an SSID, as the device protocol spells it: open, OWE, WPA2, WPA2/WPA3 and WPA3 personal. */
export const securities = ['open', 'owe', 'psk2', 'sae-mixed', 'sae'] as const;
export type Security = (typeof securities)[number];
/** The securities that have a key. */
export const keyedSecurities: readonly Security[] = ['psk2', 'sae-mixed', 'sae'];
/** The securities that the 6 GHz band takes. */
export const sixGigahertzSecurities: readonly Security[] = ['owe', 'sae-mixed', 'sae'];

/** Wi-Fi generations of a radio: 4, 5, 6 and 7. */
export const radioModes = ['HT', 'VHT', 'HE', 'EHT'] as const;
export type RadioMode = (typeof radioModes)[number];

/** Channel widths in MHz. */
export const radioWidths = [20, 40, 80, 160, 320] as const;
export type RadioWidth = (typeof radioWidths)[number];

/** Transmit power; the dBm of each level depend on the radio (design 3.8). */
export const powerLevels = ['max', 'high', 'medium', 'low'] as const;
export type PowerLevel = (typeof powerLevels)[number];

/** What is set of a band's radios. */
export const radioFields = ['enabled', 'channel', 'width', 'mode', 'power'] as const;

/** Where the value in force comes from; the later one wins. `ac` and `wireless` are templates. */
export const valueSources = ['default', 'ac', 'wireless', 'network', 'group', 'device'] as const;
export type ValueSource = (typeof valueSources)[number];

/** Sizes of what may be configured. */
export const configurationLimits = {
  ssidsPerNetwork: 16,
  /** What the drivers of today's radios carry. */
  ssidsPerBand: 8,
  keyLength: { min: 8, max: 63 },
  vlan: { min: 2, max: 4050 },
  maximumClients: { min: 1, max: 2007 },
  rateMbps: { min: 1, max: 10_000 },
  lanPrefix: { min: 16, max: 28 },
} as const;

/** What a compiled document does not hold, holds otherwise, or is wrong in. */
export const findingSeverities = ['left_out', 'adjusted', 'wrong'] as const;
export const findingCodes = [
  'no_radio',
  'radio_off',
  'security_6g',
  'ssid_left_out',
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
  'vlan_unsupported',
  'schema_unknown',
  'too_large',
  'not_valid',
  'gateway_firmware',
  'lan_by_network',
  'too_many_lines',
  'port_missing',
  'no_vlan_tags',
  'no_shaping',
  'no_ifb',
  'no_dhcp_client',
  'no_dnsmasq',
  'no_reboot',
] as const;
export type FindingCode = (typeof findingCodes)[number];
export type FindingSeverity = (typeof findingSeverities)[number];

/** An integer in a range, or null. One type keyword, so that a wrong value has one complaint. */
function NullableInteger({ min, max }: { min: number; max: number }) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: min, maximum: max });
}

/** One of some words, or null. */
function NullableWord<const T extends readonly (string | number)[]>(values: T) {
  return Type.Unsafe<T[number] | null>({ enum: [...values, null] });
}

const ssidFields = {
  enabled: Type.Boolean(),
  name: Type.String({ rule: 'ssid' }),
  security: Words(securities),
  bands: Type.Array(Words(bands), { minItems: 1, maxItems: bands.length, uniqueItems: true }),
  /** Tagged towards the wire; null: the network's own LAN. */
  vlan: NullableInteger(configurationLimits.vlan),
  hidden: Type.Boolean(),
  /** Terminals of the SSID do not reach each other. */
  isolate: Type.Boolean(),
  /** Per access point and band. */
  maximum_clients: NullableInteger(configurationLimits.maximumClients),
  /** Mbit/s for each terminal, seen from it; null is no limit. */
  down_mbps: NullableInteger(configurationLimits.rateMbps),
  up_mbps: NullableInteger(configurationLimits.rateMbps),
};

/** An SSID as it is saved. A known `id` keeps its key when `key` is missing; keys are never given out. */
export const SsidInput = Type.Object({
  id: Type.Optional(Id),
  ...ssidFields,
  key: Type.Optional(
    Type.String({
      rule: 'passwordFilter',
      minLength: configurationLimits.keyLength.min,
      maxLength: configurationLimits.keyLength.max,
    }),
  ),
});
export type SsidInput = Static<typeof SsidInput>;

/** An SSID as it is shown. */
export const SsidRow = Type.Object({ id: Id, ...ssidFields, key_set: Type.Boolean() });
export type SsidRow = Static<typeof SsidRow>;

/** The settings of one band's radios; null takes what the level below says (device over network over default). */
export const RadioSettings = Type.Object({
  band: Words(bands),
  enabled: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
  channel: Type.Unsafe<number | 'auto' | null>({
    type: ['integer', 'string', 'null'],
    minimum: 1,
    maximum: 233,
    pattern: '^auto$',
  }),
  width: NullableWord(radioWidths),
  mode: NullableWord(radioModes),
  power: NullableWord(powerLevels),
});
export type RadioSettings = Static<typeof RadioSettings>;

/** At most one entry per band. */
export const RadioList = Type.Array(RadioSettings, { maxItems: bands.length });
/** ISO 3166 country code; null is the device's own. */
export const Country = Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^[A-Z]{2}$' });

function Sourced<T extends Parameters<typeof Type.Array>[0]>(value: T) {
  return Type.Object({
    value,
    source: Words(valueSources),
    /** The layer that it comes from lets nothing further down change it. */
    locked: Type.Boolean(),
  });
}

/** The values in force on one band of a device, each with where it comes from. */
export const EffectiveRadio = Type.Object({
  band: Words(bands),
  enabled: Sourced(Type.Boolean()),
  channel: Sourced(Type.Unsafe<number | 'auto'>({ type: ['integer', 'string'] })),
  width: Sourced(Type.Unsafe<RadioWidth>({ enum: [...radioWidths] })),
  mode: Sourced(Words(radioModes)),
  power: Sourced(Words(powerLevels)),
});
export type EffectiveRadio = Static<typeof EffectiveRadio>;

/** Something a device cannot do as it was asked to. `field` is a path into the input: `ssids.0.bands`, `radios.5G.channel`. */
export const Finding = Type.Object({
  severity: Words(findingSeverities),
  code: Words(findingCodes),
  field: Type.String(),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});
export type Finding = Static<typeof Finding>;

/** A changed value of a document; secrets are masked. Null: not there. */
export const Change = Type.Object({ path: Type.String(), before: Type.Unknown(), after: Type.Unknown() });
export type Change = Static<typeof Change>;

/** How a version of a device's configuration ended. */
export const versionOutcomes = ['waiting', 'sent', 'applied', 'rejected', 'failed', 'superseded'] as const;
export type VersionOutcome = (typeof versionOutcomes)[number];

/** One version of a device's configuration. */
export const VersionRow = Type.Object({
  /** The number that the device knows it by. */
  uuid: Type.Integer(),
  /** A key of the catalogue: `config.cause.<cause>`. */
  cause: Type.String(),
  author: Type.String(),
  created_at: Time,
  sent_at: Nullable(Time),
  outcome: Words(versionOutcomes),
  /** The device's own words. */
  rejected: Type.Array(Type.String()),
  bytes: Type.Integer(),
});
