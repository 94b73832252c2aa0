import { configuration } from '@yunxun/contract';
import { asList, asRecord, asTexts, type Capabilities, type RadioCapabilities } from '@yunxun/contract/device';
import type { Band } from './intent.ts';

export interface RadioFacts {
  /** Names of a split 5 GHz radio. */
  name: Band | '5G-lower' | '5G-upper';
  band: Band;
  /** Common to all radios behind the entry, ascending; null: not reported. */
  channels: readonly number[] | null;
  dfs: ReadonlySet<number>;
  /** Such as `HE80`; null: not reported. */
  modes: readonly HtMode[] | null;
}

export interface HtMode {
  mode: configuration.RadioMode;
  width: configuration.RadioWidth;
}

interface Radio {
  channels: number[];
  dfs: number[];
  modes: HtMode[];
}

const rangeOf: Record<Band, { channel: [number, number]; frequency: [number, number] }> = {
  '2G': { channel: [1, 14], frequency: [2400, 2500] },
  '5G': { channel: [32, 177], frequency: [5150, 5900] },
  '6G': { channel: [1, 233], frequency: [5925, 7125] },
};
const lowerHalf = 68;
const upperHalf = 96;

export function radiosOf(capabilities: Capabilities | null): RadioFacts[] {
  const all = Object.values(asRecord<Record<string, unknown>>(capabilities?.wifi)).map((radio) =>
    asRecord<RadioCapabilities>(radio),
  );
  return configuration.bands.flatMap((band) => {
    const radios = all.filter((radio) => bandsOf(radio).has(band)).map((radio) => readRadio(radio, band));
    if (radios.length === 0) return [];
    const lower = radios.filter(
      ({ channels }) => channels.length > 0 && channels.every((channel) => channel <= lowerHalf),
    );
    const upper = radios.filter(
      ({ channels }) => channels.length > 0 && channels.every((channel) => channel >= upperHalf),
    );
    if (band === '5G' && lower.length > 0 && upper.length > 0 && lower.length + upper.length === radios.length) {
      return [join('5G-lower', band, lower), join('5G-upper', band, upper)];
    }
    return [join(band, band, radios)];
  });
}

export function bandsOfDevice(capabilities: Capabilities | null): Set<Band> {
  return new Set(radiosOf(capabilities).map((radio) => radio.band));
}

function bandsOf(radio: { band?: unknown }): Set<string> {
  const named = typeof radio.band === 'string' ? [radio.band] : asTexts(radio.band);
  return new Set(named.map((band) => (band.startsWith('5G') ? '5G' : band)));
}

function readRadio(radio: { [K in keyof RadioCapabilities]?: unknown }, band: Band): Radio {
  const range = rangeOf[band];
  const channels = numbers(radio.channels);
  const frequencies = numbers(radio.frequencies);
  // channel numbers repeat across bands, frequencies do not
  const parallel = frequencies.length === channels.length;
  const shared = bandsOf(radio).size > 1;
  const own = channels.filter((channel, index) => {
    if (channel < range.channel[0] || channel > range.channel[1]) return false;
    const frequency = frequencies[index]!;
    return parallel ? frequency >= range.frequency[0] && frequency <= range.frequency[1] : !(shared && band === '6G');
  });
  const modes = asTexts(radio.htmode).flatMap((text) => readMode(text, band) ?? []);
  return { channels: own, dfs: numbers(radio.dfs_channels), modes };
}

function numbers(list: unknown): number[] {
  return asList(list).filter((value): value is number => typeof value === 'number' && Number.isInteger(value));
}

function readMode(text: string, band: Band): HtMode | null {
  const [, mode, width] = /^(HT|VHT|HE|EHT)(20|40|80|160|320)$/.exec(text) ?? [];
  if (!mode || !width) return null;
  // drivers report VHT80 on 2.4 GHz
  if (band === '2G' && Number(width) > 40) return null;
  return { mode: mode as HtMode['mode'], width: Number(width) as HtMode['width'] };
}

/** Intersects the facts, because an entry applies to every radio behind it. */
function join(name: RadioFacts['name'], band: Band, radios: readonly Radio[]): RadioFacts {
  const channels = common(
    radios.map((radio) => radio.channels),
    (channel) => channel,
  );
  return {
    name,
    band,
    channels: channels && [...new Set(channels)].toSorted((a, b) => a - b),
    dfs: new Set(radios.flatMap((radio) => radio.dfs)),
    modes: common(
      radios.map((radio) => radio.modes),
      ({ mode, width }) => `${mode}${width}`,
    ),
  };
}

/** Ignores empty lists; null if all are. */
function common<T>(lists: readonly (readonly T[])[], keyOf: (value: T) => string | number): T[] | null {
  const [first, ...others] = lists.filter((list) => list.length > 0);
  if (!first) return null;
  const keys = others.map((list) => new Set(list.map(keyOf)));
  return first.filter((value) => keys.every((known) => known.has(keyOf(value))));
}
