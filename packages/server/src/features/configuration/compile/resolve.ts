import type { Band, DeviceOverride, RadioSettings, WirelessIntent } from './intent.ts';

type Field = Exclude<keyof RadioSettings, 'band'>;
type Values = { [F in Field]: NonNullable<RadioSettings[F]> };

/** A value, and whether the device itself, a layer above it or nobody says it. */
interface Said<F extends Field> {
  value: Values[F];
  source: 'default' | 'network' | 'device';
}

/** The values in force on one band. */
export type EffectiveRadio = { band: Band } & { [F in Field]: Said<F> };

const everywhere = { enabled: true, channel: 'auto', mode: 'HE', power: 'max' } as const;

/** What a radio does when nobody says otherwise. */
export const radioDefaults: Readonly<Record<Band, Values>> = {
  '2G': { ...everywhere, width: 20 },
  '5G': { ...everywhere, width: 80 },
  '6G': { ...everywhere, width: 160 },
};

/** One band's values: the device's own before the network's before the defaults. */
export function effectiveRadio(band: Band, network: WirelessIntent, override: DeviceOverride): EffectiveRadio {
  const levels = [
    { source: 'device', values: override.radios.find((radio) => radio.band === band) },
    { source: 'network', values: network.radios.find((radio) => radio.band === band) },
  ] as const;
  function pick<F extends Field>(field: F): Said<F> {
    for (const { source, values } of levels) {
      const value = values?.[field];
      if (value !== null && value !== undefined) return { value: value as Values[F], source };
    }
    return { value: radioDefaults[band][field], source: 'default' };
  }
  return {
    band,
    enabled: pick('enabled'),
    channel: pick('channel'),
    width: pick('width'),
    mode: pick('mode'),
    power: pick('power'),
  };
}
