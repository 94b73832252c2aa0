import { asCount, asList, asNumber, asRecord, asText, asTexts, type State, type Wire } from '@yunxun/contract/device';

export type Band = 2 | 5 | 6;

interface ReportedBand {
  readonly band?: unknown;
  readonly frequency?: unknown;
  readonly channel?: unknown;
  readonly radio?: unknown;
  readonly phy?: unknown;
}

/** Wireless without a stated band. */
export const unknownBand = 1 as const;

/** 6 GHz channels overlap with these, so they state no band. */
const channels = { 2: [1, 14], 5: [32, 177] } as const;

const isWithin = (value: number, [least, max]: readonly [number, number]) => value >= least && value <= max;

/** Reads name, frequency (MHz) or channel. */
export function statedBand({ band, frequency, channel }: ReportedBand): Band | null {
  const name = asTexts(band)[0];
  if (name?.startsWith('2')) return 2;
  if (name?.startsWith('6')) return 6;
  if (name?.startsWith('5')) return 5;
  const megahertz = asNumber(asList(frequency)[0]) ?? 0;
  if (isWithin(megahertz, [5925, 7125])) return 6;
  if (isWithin(megahertz, [4900, 5924])) return 5;
  if (isWithin(megahertz, [2400, 2500])) return 2;
  // firmware before November 2022 has no 6 GHz and names only the channel
  const number = asCount(channel) ?? 0;
  if (isWithin(number, channels[2])) return 2;
  return isWithin(number, channels[5]) ? 5 : null;
}

/** Follows `radio.$ref` (`#/radios/1`) or `phy` for firmware before November 2022, whose networks name no band. */
export function bandOf(reported: ReportedBand, state: Wire<State> = {}): Band | null {
  const stated = statedBand(reported);
  if (stated) return stated;
  const radios = asList(state.radios).map((entry) => asRecord<ReportedBand>(entry));
  const index = /^#\/radios\/(\d{1,2})$/.exec(asText(asRecord<{ $ref: unknown }>(reported.radio).$ref, 16) ?? '')?.[1];
  const phy = asText(reported.phy, 64);
  const radio =
    index === undefined ? radios.find((one) => phy !== null && asText(one.phy, 64) === phy) : radios[Number(index)];
  return radio ? statedBand(radio) : null;
}
