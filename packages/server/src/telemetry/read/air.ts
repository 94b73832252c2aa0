import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { bucketLength, floorTo } from '../layers.ts';
import { lineQuery } from './lines.ts';
import { piecesOf, readMarks } from './pieces.ts';
import type { Measures, Reach, ReadScope, Span } from './types.ts';

/** A wireless band as the columns name it. */
export type AirBand = '2g' | '5g' | '6g';
const bands: readonly AirBand[] = ['2g', '5g', '6g'];

/** What radios told over a stretch of time: of one access point, or of all together. Means are null where nobody said. */
export interface Air {
  /** Access points that told of a radio, and their radios: a band with a busy share, noise, or terminals. */
  aps: number;
  radios: number;
  /** Mean over the radios, each radio's own mean counting once: busy share of the channel (percent), and noise (dBm). */
  utilization: number | null;
  noise: number | null;
  utilizationBy: Record<AirBand, number | null>;
  noiseBy: Record<AirBand, number | null>;
  /** Mean terminals on the air; null where nobody told of any band. */
  terminals: number | null;
  /** Sightings of terminals with a signal, and those below the weak signal. */
  sightings: number;
  weak: number;
  /** Frames sent to terminals, and repetitions. */
  packets: number;
  retries: number;
}

/** How a measured number earns points: 1 from `good` on, 0 from `bad` on, a straight line between; and what it weighs. */
export interface AirScale {
  good: number;
  bad: number;
  weight: number;
}

/** Numbers that access points are ranked by. */
export const airNumbers = ['utilization', 'noise', 'weak', 'retries', 'load'] as const;
export type AirNumber = (typeof airNumbers)[number];

const measures: readonly (keyof Measures)[] = [
  ...(['util2g', 'util5g', 'util6g', 'noise2g', 'noise5g', 'noise6g'] as const),
  ...(['clients2g', 'clients5g', 'clients6g', 'sightings', 'weak', 'txPackets', 'txRetries'] as const),
];

const each = (make: (band: AirBand) => string, between: string) => bands.map(make).join(between);
const radiosOf = each(
  (b) => `(case when "util${b}" is not null or "noise${b}" is not null or "clients${b}" > 0 then 1 else 0 end)`,
  ' + ',
);
const sumOf = (measure: string) => each((b) => `coalesce("${measure}${b}", 0)`, ' + ');
const countOf = (measure: string) => `num_nonnulls(${each((b) => `"${measure}${b}"`, ', ')})`;
const meanOf = (measure: string) => `sum(${sumOf(measure)}) / nullif(sum(${countOf(measure)}), 0)`;

const columns = sql.raw(`count(*) as aps, sum(radios)::integer as radios,
  ${meanOf('util')} as utilization, ${each((b) => `avg("util${b}") as util_${b}`, ', ')},
  ${meanOf('noise')} as noise, ${each((b) => `avg("noise${b}") as noise_${b}`, ', ')},
  case when sum(${countOf('clients')}) > 0 then sum(${sumOf('clients')}) end as terminals,
  coalesce(sum(sightings), 0)::float8 as sightings, coalesce(sum(weak), 0)::float8 as weak,
  coalesce(sum("txPackets"), 0)::float8 as packets, coalesce(sum("txRetries"), 0)::float8 as retries`);

/** The number that a scale is about, in terms of the columns above; null where it is not known. */
const numberOf: Readonly<Record<AirNumber, string>> = {
  utilization: 'utilization',
  noise: 'noise',
  weak: '100.0 * weak / nullif(sightings, 0)',
  retries: '100.0 * retries / nullif(packets + retries, 0)',
  load: 'terminals / nullif(radios, 0)',
};

interface AirRow {
  aps: number;
  radios: number | null;
  utilization: number | null;
  noise: number | null;
  util_2g: number | null;
  util_5g: number | null;
  util_6g: number | null;
  noise_2g: number | null;
  noise_5g: number | null;
  noise_6g: number | null;
  terminals: number | null;
  sightings: number;
  weak: number;
  packets: number;
  retries: number;
}

/** The same numbers of one access point or many. */
export function numbersOf(air: Air): Record<AirNumber, number | null> {
  const share = (part: number, whole: number) => (whole > 0 ? (100 * part) / whole : null);
  return {
    utilization: air.utilization,
    noise: air.noise,
    weak: share(air.weak, air.sightings),
    retries: share(air.retries, air.packets + air.retries),
    load: air.terminals !== null && air.radios > 0 ? air.terminals / air.radios : null,
  };
}

/** What is looked at. */
export type AirQuery = Reach & Span;

/** The radios of a reach, all together. */
export async function airOf(tx: Tx, accountId: string, query: AirQuery): Promise<Air> {
  const { rows } = await sql<AirRow>`select ${columns} from (${await perDevice(tx, accountId, query)}) device`.execute(
    tx,
  );
  return present(rows[0]!);
}

/** The access points that earn the least by some scales, the worst first: known numbers only, each by its weight. */
export async function worstAir(
  tx: Tx,
  accountId: string,
  query: AirQuery & { scales: Readonly<Record<AirNumber, AirScale>>; limit: number },
): Promise<(Air & { serial: string })[]> {
  const { scales } = query;
  const points = airNumbers.map((name) => {
    const { good, bad, weight } = scales[name];
    const number = sql.raw(numberOf[name]);
    return {
      earned: sql`coalesce(${weight}::float8 * least(1, greatest(0, ((${number})::float8 - ${bad}::float8) / (${good}::float8 - ${bad}::float8))), 0)`,
      weight: sql`(case when (${number}) is null then 0 else ${weight}::float8 end)`,
    };
  });
  const earned = sql.join(
    points.map((point) => point.earned),
    sql` + `,
  );
  const weights = sql.join(
    points.map((point) => point.weight),
    sql` + `,
  );
  const { rows } = await sql<AirRow & { serial: string }>`
    select * from (
      select id as serial, ${columns} from (${await perDevice(tx, accountId, query)}) device group by id) air
    where ${weights} > 0
    order by (${earned}) / (${weights}), serial limit ${query.limit}
  `.execute(tx);
  return rows.map((row) => ({ serial: row.serial, ...present(row) }));
}

/** The end of the last five minutes that are rolled up: what is read up to there is read from rollups only. */
export async function closedUntil(tx: Tx, scope: ReadScope, now: Date): Promise<Date> {
  const until = (await readMarks(tx, scope)).until['5m'];
  const last = floorTo(bucketLength, now);
  return until.getTime() > 0 && until < last ? until : last;
}

/** The measures of each device that told of a radio. */
async function perDevice(tx: Tx, accountId: string, { gwids, from, to }: AirQuery): Promise<RawBuilder<unknown>> {
  const pieces = piecesOf([{ from, to }], await readMarks(tx, 'device'), '1d');
  if (pieces.length === 0) pieces.push({ source: '5m', from, to: from });
  const lines = { scope: 'device', ids: null, gwids, pieces, bucket: null, want: measures } as const;
  return sql`select *, ${sql.raw(radiosOf)} as radios from (${lineQuery(accountId, lines)}) told where ${sql.raw(radiosOf)} > 0`;
}

function present(row: AirRow): Air {
  const { aps, radios, utilization, noise, terminals, sightings, weak, packets, retries } = row;
  return {
    ...{ aps, radios: radios ?? 0, utilization, noise, terminals, sightings, weak, packets, retries },
    utilizationBy: { '2g': row.util_2g, '5g': row.util_5g, '6g': row.util_6g },
    noiseBy: { '2g': row.noise_2g, '5g': row.noise_5g, '6g': row.noise_6g },
  };
}
