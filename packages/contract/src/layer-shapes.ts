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
import { PortRule, switchLimits } from './port-shapes.ts';
import { Words } from './shapes.ts';

/** `ac`: country, radios, roaming, LEDs; `wireless`: SSIDs, radios. */
export const templateKinds = ['ac', 'wireless'] as const;
export type TemplateKind = (typeof templateKinds)[number];

/** dBm; below, clients are rejected and disconnected. */
export const rssiLimits = { min: -95, max: -50 } as const;

export const generalFields = ['leds', 'fast_roaming', 'neighbour_reports', 'minimum_rssi', 'ports'] as const;
export type GeneralField = (typeof generalFields)[number];

const flag = () => Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] });

const accessPointFields = {
  leds: flag(),
  /** 802.11r */
  fast_roaming: flag(),
  /** 802.11k */
  neighbour_reports: flag(),
  minimum_rssi: Type.Unsafe<number | null>({
    anyOf: [
      { type: 'integer', minimum: rssiLimits.min, maximum: rssiLimits.max },
      { type: 'integer', const: 0 },
      { type: 'null' },
    ],
  }),
};
const portRules = {
  type: ['array', 'null'],
  items: PortRule,
  minItems: 1,
  maxItems: switchLimits.portRules,
} as const;

/** Null inherits from the layer below. */
export const GeneralSettings = Type.Object({
  ...accessPointFields,
  /** The last match wins. Access points ignore them. */
  ports: Type.Unsafe<PortRule[] | null>(portRules),
});
export type GeneralSettings = Static<typeof GeneralSettings>;

/** Absent `ports` means no rules. */
const GeneralInput = Type.Object({
  ...accessPointFields,
  ports: Type.Optional(Type.Unsafe<PortRule[] | null>(portRules)),
});

/** `country`, `radios.5G.channel`, `general.leds`, `ssids.<name>`. */
export const Locks = Type.Array(Type.String({ maxLength: 60 }), { maxItems: 64, uniqueItems: true });

export const lockable: readonly string[] = [
  'country',
  ...bands.flatMap((band) => radioFields.map((field) => `radios.${band}.${field}`)),
  ...generalFields.map((field) => `general.${field}`),
];

const Ssids = Type.Array(SsidInput, { maxItems: configurationLimits.ssidsPerNetwork });

export const LayerInput = {
  country: Type.Optional(Country),
  ssids: Ssids,
  radios: RadioList,
  general: Type.Optional(GeneralInput),
  locks: Type.Optional(Locks),
};

export const LayerShown = {
  country: Country,
  ssids: Type.Array(SsidRow),
  radios: RadioList,
  general: GeneralSettings,
  locks: Locks,
};

/** `id` and `name` only for templates, networks and groups. */
export const Source = Type.Object({
  layer: Words(valueSources),
  id: Type.String(),
  name: Type.String(),
  locked: Type.Boolean(),
});
export type Source = Static<typeof Source>;

/** Effective non-radio values. */
export const EffectiveValue = Type.Object({
  field: Type.String(),
  value: Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
  source: Source,
});
