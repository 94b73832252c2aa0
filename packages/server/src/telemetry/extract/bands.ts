import { asList, asNumber, asTexts } from '@yunxun/contract/device';

/** First digit of a band: 2.4, 5 or 6 GHz. */
export type Band = 2 | 5 | 6;

/** The band of a radio or a network: by its name, and when it is not named by its frequency (MHz). */
export function bandOf(said: { readonly band?: unknown; readonly frequency?: unknown }): Band {
  const name = asTexts(said.band)[0];
  if (name?.startsWith('2')) return 2;
  if (name?.startsWith('6')) return 6;
  if (name?.startsWith('5')) return 5;
  const frequency = asNumber(asList(said.frequency)[0]) ?? 0;
  if (frequency >= 5925) return 6;
  return frequency >= 4900 || frequency === 0 ? 5 : 2;
}
