import { type TSchema, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

/** Reported air metrics, defined in docs/metrics.en.md. `as_of`: counted until. Unreported is null, never zero. */

const reads = { access: 'user', method: 'POST', permission: 'statistics.read', effect: 'read' } as const;

const Narrow = { gwid: Type.Optional(Id) };
const named = { gwid: 'network' } as const;

export const wirelessBands = ['2.4G', '5G', '6G'] as const;
export type WirelessBand = (typeof wirelessBands)[number];

/** Five air metrics and access-point availability. */
export const airParts = ['utilization', 'weak', 'retries', 'noise', 'load'] as const;
export type AirPart = (typeof airParts)[number];
export const scoreParts = [...airParts, 'availability'] as const;
export type ScorePart = (typeof scoreParts)[number];

export const rawNumbers = [
  /** Percent. */
  'utilization_2g',
  'utilization_5g',
  'utilization_6g',
  /** dBm. */
  'noise_2g',
  'noise_5g',
  'noise_6g',
  /** Client observations with a signal. */
  'sightings',
  'weak',
  /** Frames to clients, and retries. */
  'packets',
  'retries',
  /** Mean wireless clients, and reporting radios. */
  'terminals',
  'radios',
  /** Online access points, and all. */
  'aps_online',
  'aps',
] as const;
export type RawNumber = (typeof rawNumbers)[number];

const Percentage = Type.Number({ minimum: 0, maximum: 100 });

const Part = Type.Object({
  part: Words(scoreParts),
  /** Of 100, or of the known parts' sum. */
  weight: Type.Integer(),
  /** 0–100, higher is better. */
  value: Percentage,
  /** Percent, dBm, or clients per radio. */
  measured: Type.Number(),
  /** Values for 100 and 0 points; linear between. */
  good: Type.Number(),
  bad: Type.Number(),
  raw: Type.Array(Type.Object({ name: Words(rawNumbers), value: Type.Number() })),
});

/** `missing` were not reported. */
const Parts = { parts: Type.Array(Part), missing: Type.Array(Words(scoreParts)) };

const Stretch = { as_of: Time, from: Time, to: Time };

export const wirelessSummary = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/wireless/summary',
  summary: 'Access points by status, and wireless terminals by band: now, and the highest of 24 hours.',
  body: Type.Object(Narrow),
  data: Type.Object({
    as_of: Time,
    aps: Type.Object({
      total: Type.Integer(),
      statuses: Type.Array(Type.Object({ name: Words(deviceStatuses), value: Type.Integer() })),
    }),
    bands: Type.Array(
      Type.Object({
        name: Words(wirelessBands),
        online: Type.Integer(),
        /** Five-minute mean, and its start. */
        peak: Nullable(Type.Integer()),
        peak_at: Nullable(Time),
      }),
    ),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const wirelessScore = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/wireless/score',
  summary: 'How healthy the radios are, 0 to 100, with the parts it is made of and their raw numbers.',
  body: Type.Object(Narrow),
  data: Type.Object({
    ...Stretch,
    /** Null without a reporting radio. */
    score: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
    /** Access points and radios that reported. */
    aps: Type.Integer(),
    radios: Type.Integer(),
    ...Parts,
  }),
  example: () => ({}),
});

export const wirelessSteps = ['5m', '1h'] as const;
export type WirelessStep = (typeof wirelessSteps)[number];

/** One value per bucket; null is a gap. */
const Line = Type.Array(Nullable(Type.Number()));

function byBand<T extends TSchema>(line: T) {
  return Type.Object({ '2.4G': line, '5G': line, '6G': line });
}

const Lines = Type.Object({
  /** Mean number of wireless clients. */
  terminals: byBand(Line),
  /** Bytes per bucket, both directions. */
  flow: byBand(Line),
  /** Percent. */
  utilization: byBand(Line),
  /** dBm. */
  noise: byBand(Line),
  /** Percent of client observations. */
  weak: Line,
  /** Percent of transmitted frames. */
  retries: Line,
  /** Mean rate to clients, kbit/s. */
  rate: Line,
});

export const wirelessSeries = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/wireless/series',
  summary: '24 hours of the air in buckets of five minutes or an hour, and the 24 hours before them.',
  body: Type.Object({ step: Type.Optional(Words(wirelessSteps)), ...Narrow }),
  data: Type.Object({
    ...Stretch,
    /** Seconds; the first bucket starts at `from`. */
    step_s: Type.Integer(),
    current: Lines,
    /** Same buckets, 24 hours earlier. */
    previous: Lines,
  }),
  example: (seed) => ({ gwid: seed.network.gwid, step: '1h' as const }),
});

export const wirelessWorst = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/wireless/worst',
  summary: 'The ten access points whose radios do worst, and what pulls each down.',
  body: Type.Object(Narrow),
  data: Type.Object({
    ...Stretch,
    compared: Type.Integer(),
    list: Type.Array(
      Type.Object({
        serial: Serial,
        name: Type.String(),
        gwid: Id,
        network: Type.String(),
        status: Words(deviceStatuses),
        score: Type.Integer({ minimum: 0, maximum: 100 }),
        /** Part that loses most points. */
        pulled_by: Nullable(Words(airParts)),
        ...Parts,
      }),
    ),
  }),
  example: () => ({}),
});
