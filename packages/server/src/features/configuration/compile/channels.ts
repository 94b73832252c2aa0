import type { configuration } from '@yunxun/contract';
import type { RadioFacts } from './radio-facts.ts';

type Width = configuration.RadioWidth;

/** First channels of 5 GHz blocks; firmware refuses wide channels elsewhere. */
const blockStarts: Partial<Record<Width, readonly number[]>> = {
  40: [36, 44, 52, 60, 100, 108, 116, 124, 132, 140, 149, 157, 165],
  80: [36, 52, 100, 116, 132, 149],
  160: [36, 100],
};

const segments = [
  [36, 64],
  [100, 144],
  [149, 177],
] as const;

/** Returns null if the radio lacks part of the block. */
export function blockStart(channel: number, width: Width, channels: readonly number[] | null): number | null {
  if (width === 20) return channel;
  const segment = segments.find(([first, last]) => channel >= first && channel <= last);
  if (!segment || (channel - segment[0]) % 4 !== 0) return null;
  const size = width / 20;
  const start = segment[0] + Math.floor((channel - segment[0]) / 4 / size) * size * 4;
  if (!blockStarts[width]?.includes(start)) return null;
  const whole = Array.from({ length: size }, (_, index) => start + index * 4);
  return channels === null || whole.every((member) => channels.includes(member)) ? start : null;
}

export function isChannel(band: configuration.Band, channel: number): boolean {
  if (band === '2G') return channel >= 1 && channel <= 14;
  if (band === '6G') return channel >= 1 && channel <= 233 && (channel - 1) % 4 === 0;
  return segments.some(([first, last]) => channel >= first && channel <= last && (channel - first) % 4 === 0);
}

export function hasChannel(radio: RadioFacts, channel: number): boolean {
  return isChannel(radio.band, channel) && (radio.channels === null || radio.channels.includes(channel));
}
