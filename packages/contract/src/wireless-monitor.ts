import { type TSchema, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

/**
 * What the access points say of the air they work in. Every number is defined in docs/metrics.en.md. `as_of` says until
 * when a number counts; what nobody reported is null, never zero.
 */

const reads = { access: 'user', method: 'POST', permission: 'statistics.read', effect: 'read' } as const;

/** Narrows the numbers to one network. */
const Narrow = { gwid: Type.Optional(Id) };
const named = { gwid: 'network' } as const;

/** Wireless bands by their names. */
export const wirelessBands = ['2.4G', '5G', '6G'] as const;
export type WirelessBand = (typeof wirelessBands)[number];

/** What the radio health score is made of: five parts of the air, and whether the access points are there. */
export const airParts = ['utilization', 'weak', 'retries', 'noise', 'load'] as const;
export type AirPart = (typeof airParts)[number];
export const scoreParts = [...airParts, 'availability'] as const;
export type ScorePart = (typeof scoreParts)[number];

/** The raw numbers that parts are made of. */
export const rawNumbers = [
  /** Mean busy share of the channels by band, percent. */
  ...(['utilization_2g', 'utilization_5g', 'utilization_6g'] as const),
  /** Mean noise by band, dBm. */
  ...(['noise_2g', 'noise_5g', 'noise_6g'] as const),
  /** Sightings of terminals with a signal, and those that were weak. */
  ...(['sightings', 'weak'] as const),
  /** Frames sent to terminals, and repetitions. */
  ...(['packets', 'retries'] as const),
  /** Mean of the wireless terminals, and radios that reported. */
  ...(['terminals', 'radios'] as const),
  /** Access points that are online, and all. */
  ...(['aps_online', 'aps'] as const),
] as const;
export type RawNumber = (typeof rawNumbers)[number];

const Percentage = Type.Number({ minimum: 0, maximum: 100 });

/** A part of the score that is known. */
const Part = Type.Object({
  part: Words(scoreParts),
  /** Of 100, when all parts are known; else of the sum of the known. */
  weight: Type.Integer(),
  /** 0–100, higher is better. */
  value: Percentage,
  /** What was measured: percent, dBm, or terminals per radio. */
  measured: Type.Number(),
  /** Measured values that earn 100 and 0; in between it is a straight line. */
  good: Type.Number(),
  bad: Type.Number(),
  raw: Type.Array(Type.Object({ name: Words(rawNumbers), value: Type.Number() })),
});

/** What a score is made of, and the parts that nobody reported. */
const Parts = { parts: Type.Array(Part), missing: Type.Array(Words(scoreParts)) };

/** The stretch of time that was looked at. */
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
      /** Each status that an access point is in. */
      statuses: Type.Array(Type.Object({ name: Words(deviceStatuses), value: Type.Integer() })),
    }),
    bands: Type.Array(
      Type.Object({
        name: Words(wirelessBands),
        /** Terminals now. */
        online: Type.Integer(),
        /** The highest mean of five minutes within the last 24 hours, and the begin of those; null without reports. */
        peak: Nullable(Type.Number()),
        peak_at: Nullable(Time),
      }),
    ),
  }),
  example: (world) => ({ gwid: world.network.gwid }),
});

export const wirelessScore = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/wireless/score',
  summary: 'How healthy the radios are, 0 to 100, with the parts it is made of and their raw numbers.',
  body: Type.Object(Narrow),
  data: Type.Object({
    ...Stretch,
    /** Null while no radio has reported. */
    score: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
    /** Access points and radios that reported. */
    aps: Type.Integer(),
    radios: Type.Integer(),
    ...Parts,
  }),
  example: () => ({}),
});

/** Steps of the charts. */
export const wirelessSteps = ['5m', '1h'] as const;
export type WirelessStep = (typeof wirelessSteps)[number];

/** A value for each bucket, in their order; null is a gap. */
const Line = Type.Array(Nullable(Type.Number()));

function byBand<T extends TSchema>(line: T) {
  return Type.Object({ '2.4G': line, '5G': line, '6G': line });
}

const Lines = Type.Object({
  /** Mean wireless terminals. */
  terminals: byBand(Line),
  /** Bytes in the bucket, both ways. */
  flow: byBand(Line),
  /** Percent. */
  utilization: byBand(Line),
  /** dBm. */
  noise: byBand(Line),
  /** Percent of the sightings of terminals. */
  weak: Line,
  /** Percent of the frames in the air. */
  retries: Line,
  /** Mean rate towards terminals, kbit/s. */
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
    /** Length of a bucket, seconds; the first begins at `from`. */
    step_s: Type.Integer(),
    current: Lines,
    /** The same places, 24 hours earlier. */
    previous: Lines,
  }),
  example: (world) => ({ gwid: world.network.gwid, step: '1h' as const }),
});

export const wirelessWorst = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/wireless/worst',
  summary: 'The ten access points whose radios do worst, and what pulls each down.',
  body: Type.Object(Narrow),
  data: Type.Object({
    ...Stretch,
    /** Access points that were compared: those whose radios reported. */
    compared: Type.Integer(),
    list: Type.Array(
      Type.Object({
        serial: Serial,
        name: Type.String(),
        gwid: Id,
        network: Type.String(),
        status: Words(deviceStatuses),
        score: Type.Integer({ minimum: 0, maximum: 100 }),
        /** The part that costs most points; null where nothing costs any. */
        pulled_by: Nullable(Words(airParts)),
        ...Parts,
      }),
    ),
  }),
  example: () => ({}),
});
