import type { Band, OverrideInForce, RadioSettings, WirelessIntent } from './intent.ts';

type Field = Exclude<keyof RadioSettings, 'band'>;
type Values = { [F in Field]: NonNullable<RadioSettings[F]> };

interface Stated<F extends Field> {
  value: Values[F];
  source: 'default' | 'network' | 'device';
}

export type EffectiveRadio = { band: Band } & { [F in Field]: Stated<F> };

const everywhere = { enabled: true, channel: 'auto', mode: 'HE', power: 'max' } as const;

export const radioDefaults: Readonly<Record<Band, Values>> = {
  '2G': { ...everywhere, width: 20 },
  '5G': { ...everywhere, width: 80 },
  '6G': { ...everywhere, width: 160 },
};

export function effectiveRadio(band: Band, network: WirelessIntent, override: OverrideInForce): EffectiveRadio {
  const levels = [
    { source: 'device', values: override.radios.find((radio) => radio.band === band) },
    { source: 'network', values: network.radios.find((radio) => radio.band === band) },
  ] as const;
  function pick<F extends Field>(field: F): Stated<F> {
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
