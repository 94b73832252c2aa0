/** Bands that are planned. 6 GHz has room enough, and most devices choose well there by themselves. */
export type PlanBand = '2G' | '5G';

/** Transmit powers from the strongest to the weakest. */
export const powers = ['max', 'high', 'medium', 'low'] as const;
export type Power = (typeof powers)[number];

/** A radio of a network that is planned. */
export interface PlanRadio {
  serial: string;
  band: PlanBand;
  /** As it runs; null while nobody knows. */
  channel: number | null;
  /** MHz */
  width: number;
  power: Power;
  /** Channels that it may be set to. */
  allowed: readonly number[];
  /** The channel, or the power, is locked by a template. */
  channelLocked: boolean;
  powerLocked: boolean;
  /** What it heard of others on the band: those of the same network by their serial, strangers without. */
  heard: readonly { serial: string | null; channel: number; signal: number }[];
}

/** A change that is proposed for one radio. */
export interface Proposal {
  serial: string;
  band: PlanBand;
  fromChannel: number | null;
  toChannel: number;
  fromPower: Power;
  toPower: Power;
  /** How much less is in its way: the share of its interference that goes, in percent. */
  gain: number;
}

/** Signal (dBm) from which another radio counts, and at which it counts fully. */
const audible = -90;
const loud = -50;
/** What two radios of a network count to each other as long as neither has told of the other. */
const unheard = 0.2;
/** A change is worth interrupting terminals when this share of the interference goes, and this much of it. */
const worthShare = 0.25;
const worthWeight = 0.3;
/** Radios of its own network that a radio hears so loudly are close enough to speak more softly. */
const near = -60;
const nearOnes = 3;
/** Rounds over all radios; each round only lessens the sum, so that few are needed. */
const rounds = 8;

/** An entry of a scan: a BSSID, which is not yet a radio. */
export interface Heard {
  bssid: string;
  /** The device of the same network that sends it. */
  serial: string | null;
  channel: number;
  signal: number;
}

/**
 * The radios behind the entries of a scan, each as loud as its loudest: a radio with several SSIDs is heard once for each.
 * A device of the network has one radio a band; a stranger's BSSIDs differ in the first and the last octet.
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

/** How much somebody heard with a signal is in the way, 0 to 1. */
export function weightOf(signal: number): number {
  return Math.min(1, Math.max(0, (signal - audible) / (loud - audible)));
}

/** The channels (20 MHz each, as numbers of the band) that a radio occupies, first and last. */
export function occupied(band: PlanBand, channel: number, width: number): [number, number] {
  // 2.4 GHz: channels lie 5 MHz apart, and 20 MHz reach two to each side
  if (band === '2G') return width >= 40 ? [channel - 2, channel + 6] : [channel - 2, channel + 2];
  const size = Math.max(1, Math.floor(width / 20)) * 4;
  const first = channel >= 149 ? 149 : 36;
  const begin = first + Math.floor((channel - first) / size) * size;
  return [begin, begin + size - 4];
}

/** Whether what two radios occupy overlaps. */
function overlap(band: PlanBand, a: number, aWidth: number, b: number, bWidth: number): boolean {
  const [aFirst, aLast] = occupied(band, a, aWidth);
  const [bFirst, bLast] = occupied(band, b, bWidth);
  return aFirst <= bLast && bFirst <= aLast;
}

/** Channels that are worth trying: those that do not overlap each other in 2.4 GHz, and one of each block above it. */
export function candidates({ band, allowed, width }: Pick<PlanRadio, 'band' | 'allowed' | 'width'>): number[] {
  const rising = allowed.toSorted((a, b) => a - b);
  if (band === '2G') return rising.filter((channel) => [1, 6, 11].includes(channel));
  const blocks = new Map<number, number[]>();
  for (const channel of rising) {
    const [first] = occupied(band, channel, width);
    blocks.set(first, [...(blocks.get(first) ?? []), channel]);
  }
  // a block of which some channels are missing cannot be used whole
  return [...blocks.values()].flatMap((channels) => (channels.length >= width / 20 ? (channels[0] ?? []) : []));
}

/**
 * Channels and powers for the radios of a network. Each radio in turn takes the channel with the least in its way, its
 * neighbours being where they are by then, until nobody gains any more; the sum over the network only falls. What is
 * hardly better is left as it is. The same input gives the same plan, in whatever order the radios come.
 */
export function propose(given: readonly PlanRadio[]): Proposal[] {
  const radios = given.toSorted((a, b) => (a.serial + a.band < b.serial + b.band ? -1 : 1));
  return (['2G', '5G'] as const).flatMap((band) => proposeBand(radios.filter((radio) => radio.band === band)));
}

function proposeBand(radios: readonly PlanRadio[]): Proposal[] {
  const places = new Map(radios.map((radio) => [radio.serial, radio.channel]));
  const between = pairs(radios);
  /** What is in a radio's way on a channel. */
  const cost = (radio: PlanRadio, channel: number) => {
    let sum = 0;
    for (const other of radios) {
      const at = places.get(other.serial);
      if (other === radio || at === null || at === undefined) continue;
      if (overlap(radio.band, channel, radio.width, at, other.width)) sum += between(radio.serial, other.serial);
    }
    for (const stranger of radio.heard) {
      if (stranger.serial !== null && places.has(stranger.serial)) continue;
      // the width of strangers is not told: 20 MHz at the least
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

/** How much two radios of the network are in each other's way: as the louder of them hears the other. */
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
    // who listened and did not hear the other is out of its way
    return listened.has(a) || listened.has(b) ? 0 : unheard;
  };
}

/** One step softer where the network's own radios stand close; never louder, and never below the weakest. */
function softer(radio: PlanRadio): Power {
  const close = radio.heard.filter(({ serial, signal }) => serial !== null && signal >= near).length;
  const at = powers.indexOf(radio.power);
  if (radio.powerLocked || close < nearOnes || at === powers.length - 1) return radio.power;
  return powers[at + 1]!;
}
