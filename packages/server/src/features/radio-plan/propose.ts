/** 6 GHz has enough channels for automatic selection. */
export type PlanBand = '2G' | '5G';

export const powers = ['max', 'high', 'medium', 'low'] as const;
export type Power = (typeof powers)[number];

export interface PlanRadio {
  serial: string;
  band: PlanBand;
  /** Null: unknown. */
  channel: number | null;
  /** MHz */
  width: number;
  power: Power;
  allowed: readonly number[];
  channelLocked: boolean;
  powerLocked: boolean;
  /** `serial` only in the same network. */
  heard: readonly { serial: string | null; channel: number; signal: number }[];
}

export interface Proposal {
  serial: string;
  band: PlanBand;
  fromChannel: number | null;
  toChannel: number;
  fromPower: Power;
  toPower: Power;
  /** Reduced interference in percent. */
  gain: number;
}

/** dBm: counts; counts fully. */
const audible = -90;
const loud = -50;
/** Assumed between own radios without scans. */
const hiddenShare = 0.2;
/** Worth a disconnection: relative, absolute. */
const worthShare = 0.25;
const worthWeight = 0.3;
/** dBm above which own radios are close. */
const near = -60;
const nearOnes = 3;
const rounds = 8;

export interface Heard {
  bssid: string;
  serial: string | null;
  channel: number;
  signal: number;
}

/**
 * Merges BSSIDs with the strongest signal. Own devices: one radio per band; foreign BSSIDs differ in first and last
 * octet.
 */
export function radiosHeard(entries: readonly Heard[]): PlanRadio['heard'] {
  const radios = new Map<string, Heard>();
  for (const entry of entries) {
    const key = entry.serial ?? `${entry.bssid.slice(3, 14)} ${entry.channel}`;
    const known = radios.get(key);
    if (!known || known.signal < entry.signal) radios.set(key, entry);
  }
  return [...radios.values()].map(({ serial, channel, signal }) => ({ serial, channel, signal }));
}

/** Returns the interference of a signal, 0 to 1. */
export function weightOf(signal: number): number {
  return Math.min(1, Math.max(0, (signal - audible) / (loud - audible)));
}

/** Returns the first and last 20 MHz channel. */
export function occupied(band: PlanBand, channel: number, width: number): [number, number] {
  // channels are 5 MHz apart: 20 MHz spans two to each side
  if (band === '2G') return width >= 40 ? [channel - 2, channel + 6] : [channel - 2, channel + 2];
  const size = Math.max(1, Math.floor(width / 20)) * 4;
  const first = channel >= 149 ? 149 : 36;
  const begin = first + Math.floor((channel - first) / size) * size;
  return [begin, begin + size - 4];
}

function overlap(band: PlanBand, a: number, aWidth: number, b: number, bWidth: number): boolean {
  const [aFirst, aLast] = occupied(band, a, aWidth);
  const [bFirst, bLast] = occupied(band, b, bWidth);
  return aFirst <= bLast && bFirst <= aLast;
}

/** Returns 1, 6, 11 on 2.4 GHz, else one channel per block. */
export function candidates({ band, allowed, width }: Pick<PlanRadio, 'band' | 'allowed' | 'width'>): number[] {
  const rising = allowed.toSorted((a, b) => a - b);
  if (band === '2G') return rising.filter((channel) => [1, 6, 11].includes(channel));
  const blocks = new Map<number, number[]>();
  for (const channel of rising) {
    const [first] = occupied(band, channel, width);
    blocks.set(first, [...(blocks.get(first) ?? []), channel]);
  }
  // incomplete blocks are unusable
  return [...blocks.values()].flatMap((channels) => (channels.length >= width / 20 ? (channels[0] ?? []) : []));
}

/**
 * Greedy: each radio moves to the least interference until none gains; the sum only falls. Skips small gains.
 * Deterministic in any order.
 */
export function propose(given: readonly PlanRadio[]): Proposal[] {
  const radios = given.toSorted((a, b) => (a.serial + a.band < b.serial + b.band ? -1 : 1));
  return (['2G', '5G'] as const).flatMap((band) => proposeBand(radios.filter((radio) => radio.band === band)));
}

function proposeBand(radios: readonly PlanRadio[]): Proposal[] {
  const places = new Map(radios.map((radio) => [radio.serial, radio.channel]));
  const between = pairs(radios);
  const cost = (radio: PlanRadio, channel: number) => {
    let sum = 0;
    for (const other of radios) {
      const at = places.get(other.serial);
      if (other === radio || at === null || at === undefined) continue;
      if (overlap(radio.band, channel, radio.width, at, other.width)) sum += between(radio.serial, other.serial);
    }
    for (const stranger of radio.heard) {
      if (stranger.serial !== null && places.has(stranger.serial)) continue;
      // foreign widths are unknown: at least 20 MHz
      if (overlap(radio.band, channel, radio.width, stranger.channel, 20)) sum += weightOf(stranger.signal);
    }
    return sum;
  };
  const before = new Map(
    radios.map((radio) => [radio.serial, radio.channel === null ? null : cost(radio, radio.channel)]),
  );
  for (let round = 0; round < rounds; round += 1) {
    let moved = false;
    for (const radio of radios) {
      if (radio.channelLocked) continue;
      const now = places.get(radio.serial) ?? null;
      const here = now === null ? Number.POSITIVE_INFINITY : cost(radio, now);
      for (const channel of candidates(radio)) {
        const there = cost(radio, channel);
        const saved = here - there;
        if (saved <= 0 || (Number.isFinite(here) && (saved < worthWeight || saved < here * worthShare))) continue;
        const at = places.get(radio.serial) ?? null;
        if (at !== now && cost(radio, at!) <= there) continue;
        places.set(radio.serial, channel);
        moved = true;
      }
    }
    if (!moved) break;
  }
  return radios.flatMap((radio) => {
    const to = places.get(radio.serial) ?? null;
    const toPower = softer(radio);
    if (to === null || (to === radio.channel && toPower === radio.power)) return [];
    const was = before.get(radio.serial) ?? null;
    const gain = was ? Math.max(0, Math.round((1 - cost(radio, to) / was) * 100)) : 0;
    const { serial, band, channel: fromChannel, power: fromPower } = radio;
    return [{ serial, band, fromChannel, toChannel: to, fromPower, toPower, gain }];
  });
}

/** Returns interference of own radios: the stronger direction. */
function pairs(radios: readonly PlanRadio[]): (a: string, b: string) => number {
  const heard = new Map<string, number>();
  const listened = new Set(radios.filter(({ heard: all }) => all.length > 0).map(({ serial }) => serial));
  for (const radio of radios) {
    for (const { serial, signal } of radio.heard) {
      if (serial === null) continue;
      const key = [radio.serial, serial].toSorted().join(' ');
      heard.set(key, Math.max(heard.get(key) ?? 0, weightOf(signal)));
    }
  }
  return (a, b) => {
    const known = heard.get([a, b].toSorted().join(' '));
    if (known !== undefined) return known;
    // scanned without finding each other
    return listened.has(a) || listened.has(b) ? 0 : hiddenShare;
  };
}

/** Lowers power by one step if own radios are close. */
function softer(radio: PlanRadio): Power {
  const close = radio.heard.filter(({ serial, signal }) => serial !== null && signal >= near).length;
  const at = powers.indexOf(radio.power);
  if (radio.powerLocked || close < nearOnes || at === powers.length - 1) return radio.power;
  return powers[at + 1]!;
}
