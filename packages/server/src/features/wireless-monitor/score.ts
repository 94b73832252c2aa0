import type { wirelessMonitor as contract, DataOf, RawNumber, ScorePart } from '@yunxun/contract';
import { type Air, type AirNumber, type AirScale, airNumbers, numbersOf } from '../../telemetry/read/air.ts';

/**
 * What earns 100 points and what earns none. Where a limit of `good` comes from stands in docs/metrics.en.md; those of
 * `bad` are our own.
 */
export const scales: Readonly<Record<ScorePart, AirScale>> = {
  /** Percent of the time that the channel is busy. */
  utilization: { good: 40, bad: 90, weight: 25 },
  /** Percent of the sightings below the weak signal. */
  weak: { good: 5, bad: 50, weight: 20 },
  /** Percent of the frames in the air that are repetitions. */
  retries: { good: 10, bad: 50, weight: 20 },
  /** dBm. */
  noise: { good: -92, bad: -72, weight: 10 },
  /** Terminals per radio. */
  load: { good: 30, bad: 128, weight: 10 },
  /** Percent of the access points that are online. */
  availability: { good: 100, bad: 50, weight: 15 },
};

/** The order in which parts are shown: what weighs most first. */
const order: readonly ScorePart[] = (Object.keys(scales) as ScorePart[]).toSorted(
  (a, b) => scales[b].weight - scales[a].weight,
);

/** What was measured, by part; null or absent where nobody said. */
export type Measured = Readonly<Partial<Record<ScorePart, number | null>>>;

/** Points of a part for what was measured, 0 to 100. */
export function pointsOf(part: ScorePart, measured: number): number {
  const { good, bad } = scales[part];
  return 100 * Math.min(1, Math.max(0, (measured - bad) / (good - bad)));
}

/**
 * The mean of the known parts by their weights, 0 to 100: what is not known changes nothing in what the others are worth.
 * Null while no radio has told of its air; that access points are there says nothing of that.
 */
export function scoreOf(measured: Measured): number | null {
  const known = order.filter((part) => typeof measured[part] === 'number');
  if (!known.some(isOfTheAir)) return null;
  const weights = known.reduce((sum, part) => sum + scales[part].weight, 0);
  return known.reduce((sum, part) => sum + scales[part].weight * pointsOf(part, measured[part]!), 0) / weights;
}

/** The part of the air that costs most points; null where none costs any. */
export function pulledBy(measured: Measured): AirNumber | null {
  let most = 0;
  let worst: AirNumber | null = null;
  for (const part of order) {
    const value = measured[part];
    if (typeof value !== 'number' || !isOfTheAir(part)) continue;
    const lost = scales[part].weight * (100 - pointsOf(part, value));
    if (lost > most) [most, worst] = [lost, part];
  }
  return worst;
}

type Presented = Pick<DataOf<typeof contract.wirelessScore>, 'parts' | 'missing'>;

/** The parts of a score with the raw numbers they are made of, and those that nobody told of. */
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

/** Two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function isOfTheAir(part: ScorePart): part is AirNumber {
  return (airNumbers as readonly string[]).includes(part);
}
