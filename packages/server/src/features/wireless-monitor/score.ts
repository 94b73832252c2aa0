import type { wirelessMonitor as contract, DataOf, RawNumber, ScorePart } from '@yunxun/contract';
import { type Air, type AirNumber, type AirScale, airNumbers, numbersOf, shareOf } from '../../telemetry/read/air.ts';
import type { Measures } from '../../telemetry/read/index.ts';

/** Values for 100 and 0 points. docs/metrics.en.md gives the sources of `good`; `bad` is our choice. */
export const scales: Readonly<Record<ScorePart, AirScale>> = {
  /** Busy channel time in percent. */
  utilization: { good: 40, bad: 90, weight: 25 },
  /** Observations below the weak signal, in percent. */
  weak: { good: 5, bad: 50, weight: 20 },
  /** Retransmitted frames in percent. */
  retries: { good: 10, bad: 50, weight: 20 },
  /** dBm. */
  noise: { good: -92, bad: -72, weight: 10 },
  /** Clients per radio. */
  load: { good: 30, bad: 128, weight: 10 },
  /** Online access points in percent. */
  availability: { good: 100, bad: 50, weight: 15 },
};

/** By weight. */
const order: readonly ScorePart[] = (Object.keys(scales) as ScorePart[]).toSorted(
  (a, b) => scales[b].weight - scales[a].weight,
);

/** Null or absent: not measured. */
export type Measured = Readonly<Partial<Record<ScorePart, number | null>>>;

/** Returns 0 to 100. */
export function pointsOf(part: ScorePart, measured: number): number {
  const { good, bad } = scales[part];
  return 100 * Math.min(1, Math.max(0, (measured - bad) / (good - bad)));
}

/** Averages known parts. Null without radio values: online access points prove nothing. */
export function scoreOf(measured: Measured): number | null {
  const known = order.filter((part) => typeof measured[part] === 'number');
  if (!known.some(isOfTheAir)) return null;
  const weights = known.reduce((sum, part) => sum + scales[part].weight, 0);
  return known.reduce((sum, part) => sum + scales[part].weight * pointsOf(part, measured[part]!), 0) / weights;
}

export const scoredMeasures = [
  'util2g',
  'util5g',
  'util6g',
  'noise2g',
  'noise5g',
  'noise6g',
  'sightings',
  'weak',
  'txPackets',
  'txRetries',
] as const satisfies readonly (keyof Measures)[];

/** Of a network's bucket. Its rows do not count radios, so `load` is not in it; each band counts once. */
export function scoreOfBucket(row: Pick<Measures, (typeof scoredMeasures)[number]>): number | null {
  return scoreOf({
    utilization: meanOf([row.util2g, row.util5g, row.util6g]),
    noise: meanOf([row.noise2g, row.noise5g, row.noise6g]),
    weak: shareOf(row.weak, row.sightings),
    retries: shareOf(row.txRetries, row.txPackets + row.txRetries),
  });
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

/** Returns the radio part with the largest loss, or null. */
export function pulledBy(measured: Measured): AirNumber | null {
  let max = 0;
  let worst: AirNumber | null = null;
  for (const part of order) {
    const value = measured[part];
    if (typeof value !== 'number' || !isOfTheAir(part)) continue;
    const lost = scales[part].weight * (100 - pointsOf(part, value));
    if (lost > max) [max, worst] = [lost, part];
  }
  return worst;
}

type Presented = Pick<DataOf<typeof contract.wirelessScore>, 'parts' | 'missing'>;

/** Returns known parts with raw values, and the unknown parts. */
export function partsOf(
  air: Air,
  availability?: { online: number; total: number },
): Presented & { measured: Measured } {
  const measured: Measured = {
    ...numbersOf(air),
    ...(availability
      ? { availability: availability.total > 0 ? (100 * availability.online) / availability.total : null }
      : {}),
  };
  const asked = order.filter((part) => availability || isOfTheAir(part));
  const raw = { ...rawOf(air), availability: list({ aps_online: availability?.online, aps: availability?.total }) };
  return {
    measured,
    parts: asked.flatMap((part) => {
      const value = measured[part];
      if (typeof value !== 'number') return [];
      return { part, ...scales[part], value: rounded(pointsOf(part, value)), measured: rounded(value), raw: raw[part] };
    }),
    missing: asked.filter((part) => typeof measured[part] !== 'number'),
  };
}

type Raw = Presented['parts'][number]['raw'];

function rawOf(air: Air): Record<AirNumber, Raw> {
  const { utilizationBy, noiseBy } = air;
  return {
    utilization: list({
      utilization_2g: utilizationBy['2g'],
      utilization_5g: utilizationBy['5g'],
      utilization_6g: utilizationBy['6g'],
    }),
    noise: list({ noise_2g: noiseBy['2g'], noise_5g: noiseBy['5g'], noise_6g: noiseBy['6g'] }),
    weak: list({ weak: air.weak, sightings: air.sightings }),
    retries: list({ retries: air.retries, packets: air.packets }),
    load: list({ terminals: air.terminals, radios: air.radios }),
  };
}

function list(numbers: Partial<Record<RawNumber, number | null | undefined>>): Raw {
  return (Object.entries(numbers) as [RawNumber, number | null | undefined][]).flatMap(([name, value]) =>
    typeof value === 'number' ? { name, value: rounded(value) } : [],
  );
}

/** Rounds to two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function isOfTheAir(part: ScorePart): part is AirNumber {
  return (airNumbers as readonly string[]).includes(part);
}
