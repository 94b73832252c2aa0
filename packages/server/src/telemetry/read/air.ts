import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { bucketLength, floorTo } from '../layers.ts';
import { measuresOfSamples } from '../measures.ts';
import { usersNow } from './now.ts';
import { piecesOf, readMarks } from './pieces.ts';
import type { ReadScope, Scope, Span } from './types.ts';

export type AirBand = '2g' | '5g' | '6g';
const bands: readonly AirBand[] = ['2g', '5g', '6g'];

/** A mean without values is null. */
export interface Air {
  aps: number;
  radios: number;
  /** Mean of the radios' means: percent and dBm. */
  utilization: number | null;
  noise: number | null;
  utilizationBy: Record<AirBand, number | null>;
  noiseBy: Record<AirBand, number | null>;
  terminals: number | null;
  /** With a signal; weak ones. */
  sightings: number;
  weak: number;
  packets: number;
  retries: number;
}

/** Linear from 1 at `good` to 0 at `bad`. */
export interface AirScale {
  good: number;
  bad: number;
  weight: number;
}

export const airNumbers = ['utilization', 'noise', 'weak', 'retries', 'load'] as const;
export type AirNumber = (typeof airNumbers)[number];

const read = [
  ...bands.flatMap((band) => [`util_${band}_sum`, `util_${band}_n`, `noise_${band}_sum`, `noise_${band}_n`]),
  ...bands.map((band) => `clients_${band}_sum`),
  'clients_n',
  'rssi_n',
  'weak_sum',
  'tx_packets',
  'tx_retries',
];

const each = (make: (band: AirBand) => string, between: string) => bands.map(make).join(between);
const sum = (column: string) => `sum(${column}::float8)`;
const meanIn = (column: string, per: number, count = `${column}_n`) =>
  `${sum(`${column}_sum`)} / ${per} / nullif(${sum(count)}, 0)`;

/** In one pass: there may be thousands. */
const ofDevice = sql.raw(`
  ${each((b) => `${meanIn(`util_${b}`, 100)} as util_${b}, ${meanIn(`noise_${b}`, 100)} as noise_${b}`, ', ')},
  ${each((b) => `${meanIn(`clients_${b}`, 1000, 'clients_n')} as clients_${b}`, ', ')},
  ${sum('rssi_n')} as sightings, ${sum('weak_sum')} as weak, ${sum('tx_packets')} as packets, ${sum('tx_retries')} as retries`);

const radiosOf = each(
  (b) => `(case when util_${b} is not null or noise_${b} is not null or clients_${b} > 0 then 1 else 0 end)`,
  ' + ',
);
const sumOf = (measure: string) => each((b) => `coalesce(${measure}_${b}, 0)`, ' + ');
const countOf = (measure: string) => `num_nonnulls(${each((b) => `${measure}_${b}`, ', ')})`;

const ofOne = sql.raw(`1 as aps, ${radiosOf} as radios,
  (${sumOf('util')}) / nullif(${countOf('util')}, 0) as utilization, util_2g, util_5g, util_6g,
  (${sumOf('noise')}) / nullif(${countOf('noise')}, 0) as noise, noise_2g, noise_5g, noise_6g,
  case when ${countOf('clients')} > 0 then ${sumOf('clients')} end as terminals,
  coalesce(sightings, 0) as sightings, coalesce(weak, 0) as weak, coalesce(packets, 0) as packets, coalesce(retries, 0) as retries`);

/** Each radio's mean counts once. */
const ofMany = sql.raw(`count(*)::integer as aps, sum(radios)::integer as radios,
  sum(${sumOf('util')}) / nullif(sum(${countOf('util')}), 0) as utilization,
  ${each((b) => `avg(util_${b}) as util_${b}`, ', ')},
  sum(${sumOf('noise')}) / nullif(sum(${countOf('noise')}), 0) as noise,
  ${each((b) => `avg(noise_${b}) as noise_${b}`, ', ')},
  sum(terminals) as terminals,
  coalesce(sum(sightings), 0) as sightings, coalesce(sum(weak), 0) as weak,
  coalesce(sum(packets), 0) as packets, coalesce(sum(retries), 0) as retries`);

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

export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? (100 * part) / whole : null;
}

export function numbersOf(air: Air): Record<AirNumber, number | null> {
  return {
    utilization: air.utilization,
    noise: air.noise,
    weak: shareOf(air.weak, air.sightings),
    retries: shareOf(air.retries, air.packets + air.retries),
    load: air.terminals !== null && air.radios > 0 ? air.terminals / air.radios : null,
  };
}

export type AirQuery = Scope & Span;

export async function airOf(tx: Tx, accountId: string, query: AirQuery): Promise<Air> {
  const devices = await perDevice(tx, accountId, query);
  const { rows } = await sql<AirRow>`select ${ofMany} from (${devices}) air`.execute(tx);
  return present(rows[0]!);
}

/** Returns lowest weighted scores first; unknown values are ignored. */
export async function worstAir(
  tx: Tx,
  accountId: string,
  query: AirQuery & { scales: Readonly<Record<AirNumber, AirScale>>; limit: number },
): Promise<{ compared: number; list: (Air & { serial: string })[] }> {
  const { scales } = query;
  const sumUp = (make: (name: AirNumber) => RawBuilder<unknown>) => sql.join(airNumbers.map(make), sql` + `);
  const known = sumUp((name) => {
    return sql`(case when ${sql.raw(numberOf[name])} is null then 0 else ${scales[name].weight}::float8 end)`;
  });
  const earned = sumUp((name) => {
    const { good, bad, weight } = scales[name];
    const part = sql`((${sql.raw(numberOf[name])}) - ${bad}::float8) / ${good - bad}::float8`;
    return sql`coalesce(${weight}::float8 * least(1, greatest(0, ${part})), 0)`;
  });
  const { rows } = await sql<AirRow & { serial: string; compared: number }>`
    select air.*, count(*) over ()::integer as compared from (${await perDevice(tx, accountId, query)}) air
    order by (${earned}) / nullif(${known}, 0) nulls last, serial limit ${query.limit}
  `.execute(tx);
  return { compared: rows[0]?.compared ?? 0, list: rows.map((row) => ({ serial: row.serial, ...present(row) })) };
}

/** Busy channel, distant clients, noise. */
export const airTroubles = ['busy', 'weak', 'noisy'] as const;
export type AirTrouble = (typeof airTroubles)[number];

/** Percent busy, percent weak, dBm. */
export const troubleFrom = { busy: 70, weak: 25, noisy: -80 } as const;

const highest = (measure: string) => `greatest(${each((b) => `${measure}_${b}`, ', ')})`;
const isTrouble: Readonly<Record<AirTrouble, string>> = {
  busy: `${highest('util')} >= ${troubleFrom.busy}`,
  weak: `100.0 * weak / nullif(sightings, 0) >= ${troubleFrom.weak}`,
  noisy: `${highest('noise')} >= ${troubleFrom.noisy}`,
};

export async function troubledDevices(
  tx: Tx,
  accountId: string,
  query: AirQuery & { trouble: AirTrouble },
): Promise<string[]> {
  const { rows } = await sql<{ serial: string }>`
    select serial from (${await perDevice(tx, accountId, query)}) air where ${sql.raw(isTrouble[query.trouble])}
  `.execute(tx);
  return rows.map(({ serial }) => serial);
}

/** Returns the end of the last rolled-up five minutes; queries up to it read rollups only. */
export async function closedUntil(tx: Tx, scope: ReadScope, now: Date): Promise<Date> {
  const until = (await readMarks(tx, scope)).until['5m'];
  const last = floorTo(bucketLength, now);
  return until.getTime() > 0 && until < last ? until : last;
}

/** Selects a row per device and network. */
async function perDevice(tx: Tx, accountId: string, { gwids, from, to }: AirQuery): Promise<RawBuilder<unknown>> {
  const among = gwids ? sql` and gwid = any(${[...gwids]}::uuid[])` : sql``;
  const pieces = piecesOf([{ from, to }], await readMarks(tx, 'device'), '1d');
  const parts = pieces.map(({ source, from: begin, to: end }) =>
    source === 'reports'
      ? sql`select serial, ${sql.raw(read.join(', '))} from (
          select account_id, date_bin('5 minutes', at, 'epoch') as bucket, gwid, serial${sql.raw(measuresOfSamples(read))}
          from device_sample where account_id = ${accountId} and at >= ${begin} and at < ${end}
          group by 1, 2, 3, 4) fresh where true${among}`
      : sql`select serial, ${sql.raw(read.join(', '))} from ${sql.table(`rollup_device_${source}`)}
          where account_id = ${accountId} and bucket >= ${begin} and bucket < ${end}${among}`,
  );
  const none = sql`select serial, ${sql.raw(read.join(', '))} from rollup_device_1h where false`;
  return sql`select * from (
    select serial, ${ofOne} from (
      select serial, ${ofDevice} from (${parts.length > 0 ? sql.join(parts, sql` union all `) : none}) part group by serial) device
    ) told where radios > 0`;
}

/** Counts each client once per band. */
export async function terminalsByBand(tx: Tx, accountId: string, scope: Scope): Promise<Record<AirBand, number>> {
  const { online2g, online5g, online6g } = await usersNow(tx, accountId, scope);
  return { '2g': online2g, '5g': online5g, '6g': online6g };
}

function present(row: AirRow): Air {
  const { aps, radios, utilization, noise, terminals, sightings, weak, packets, retries } = row;
  return {
    aps,
    radios: radios ?? 0,
    utilization,
    noise,
    terminals,
    sightings,
    weak,
    packets,
    retries,
    utilizationBy: { '2g': row.util_2g, '5g': row.util_5g, '6g': row.util_6g },
    noiseBy: { '2g': row.noise_2g, '5g': row.noise_5g, '6g': row.noise_6g },
  };
}
