import { type Static, Type } from 'typebox';
import {
  bands,
  Country,
  configurationLimits,
  RadioList,
  radioFields,
  SsidInput,
  SsidRow,
  valueSources,
} from './configuration-shapes.ts';
import { Words } from './shapes.ts';

/** Kinds of templates: of the controller (country, radios, roaming, LEDs), and of the SSIDs and radios. */
export const templateKinds = ['ac', 'wireless'] as const;
export type TemplateKind = (typeof templateKinds)[number];

/** dBm below which a terminal is not let in and is sent away; 0 is "no minimum". */
export const rssiLimits = { min: -95, max: -50 } as const;

/** Settings of an access point beside SSIDs and radios. */
export const generalFields = ['leds', 'fast_roaming', 'neighbour_reports', 'minimum_rssi'] as const;
export type GeneralField = (typeof generalFields)[number];

const flag = () => Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] });

/** Null takes what the layer below says. */
export const GeneralSettings = Type.Object({
  leds: flag(),
  /** 802.11r: terminals that move need no new handshake. */
  fast_roaming: flag(),
  /** 802.11k: access points tell terminals which neighbours there are. */
  neighbour_reports: flag(),
  minimum_rssi: Type.Unsafe<number | null>({
    anyOf: [
      { type: 'integer', minimum: rssiLimits.min, maximum: rssiLimits.max },
      { type: 'integer', const: 0 },
      { type: 'null' },
    ],
  }),
});
export type GeneralSettings = Static<typeof GeneralSettings>;

/**
 * Fields of a layer that layers further down (network, group, device) may not change: `country`, `radios.5G.channel`,
 * `general.leds`, or `ssids.<name>` for an SSID as a whole.
 */
export const Locks = Type.Array(Type.String({ maxLength: 60 }), { maxItems: 64, uniqueItems: true });

/** Every path that may be locked but those of SSIDs. */
export const lockable: readonly string[] = [
  'country',
  ...bands.flatMap((band) => radioFields.map((field) => `radios.${band}.${field}`)),
  ...generalFields.map((field) => `general.${field}`),
];

const Ssids = Type.Array(SsidInput, { maxItems: configurationLimits.ssidsPerNetwork });

/** Settings of a layer as they are saved. */
export const LayerInput = {
  country: Type.Optional(Country),
  ssids: Ssids,
  radios: RadioList,
  general: Type.Optional(GeneralSettings),
  locks: Type.Optional(Locks),
};

/** Settings of a layer as they are shown. */
export const LayerShown = {
  country: Country,
  ssids: Type.Array(SsidRow),
  radios: RadioList,
  general: GeneralSettings,
  locks: Locks,
};

/** Which layer a value in force comes from; `id` and `name` are empty for what is no template, network or group. */
export const Source = Type.Object({
  layer: Words(valueSources),
  id: Type.String(),
  name: Type.String(),
  locked: Type.Boolean(),
});
export type Source = Static<typeof Source>;

/** The values in force on a device that no radio table holds, each with its source. */
export const EffectiveValue = Type.Object({
  field: Type.String(),
  value: Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
  source: Source,
});
