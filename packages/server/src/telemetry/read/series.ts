import { sql } from 'kysely';
import { addDays, dayOf, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { floorTo, hour } from '../layers.ts';
import { allMeasures, formulas } from './measures.ts';
import { piecesOf, readMarks } from './pieces.ts';
import { lineQuery } from './series-source.ts';
import type { Lines, Measures, ReadStep, Span } from './types.ts';
import { raiseWorkMem } from './work-mem.ts';

/** Defaults to all; queries of many rows should name theirs. */
export interface Wanted<K extends keyof Measures> {
  want?: readonly K[];
}

export interface SeriesQuery extends Lines, Span {
  step: ReadStep;
  /** Of daily buckets; UTC by default. */
  zone?: string;
  together?: boolean;
}

export type SeriesRow<K extends keyof Measures = keyof Measures> = Pick<Measures, K> & {
  /** gwid or serial; null: account. */
  id: string | null;
  bucket: Date;
};

export type TotalsRow<K extends keyof Measures = keyof Measures> = Pick<Measures, K> & { id: string };

/** Leaves missing buckets as gaps. Includes committed rows that are not rolled up. */
export async function series<K extends keyof Measures = keyof Measures>(
  tx: Tx,
  accountId: string,
  asked: SeriesQuery & Wanted<K>,
): Promise<SeriesRow<K>[]> {
  const query = await visible(tx, asked);
  const { step, zone = 'UTC' } = query;
  const marks = await readMarks(tx, sourceScope(query));
  const pieces = piecesOf(
    step === '1d' ? daysOf(query, zone) : [query],
    marks,
    step === '1d' && zone !== 'UTC' ? '1h' : step,
  );
  if (pieces.length === 0 || query.ids?.length === 0) return [];
  const bucket = {
    '5m': sql`bucket`,
    '1h': sql`date_bin('1 hour', bucket, 'epoch')`,
    '1d': sql`date_trunc('day', bucket, ${zone})`,
  }[step];
  const { rows } = await sql<SeriesRow<K>>`
    ${lineQuery(accountId, { ...query, pieces, bucket, want: query.want ?? allMeasures })} order by 1, 2
  `.execute(tx);
  return rows;
}

/** Combines the span; zero or null without reports. */
export async function totals<K extends keyof Measures = keyof Measures>(
  tx: Tx,
  accountId: string,
  asked: Lines & Span & Wanted<K>,
): Promise<Pick<Measures, K>> {
  const query = await visible(tx, asked);
  const want: readonly (keyof Measures)[] = query.want ?? allMeasures;
  const pieces = piecesOf([query], await readMarks(tx, sourceScope(query)), '1d');
  if (pieces.length > 0 && query.ids?.length !== 0) {
    const lines = { ...query, pieces, bucket: null, want, together: true };
    const { rows } = await lineQuery(accountId, lines).execute(tx);
    const { id: _, bucket: _whole, ...sums } = rows[0] ?? {};
    if (rows[0]) return sums as Pick<Measures, K>;
  }
  return Object.fromEntries(want.map((measure) => [measure, isSum(measure) ? 0 : null])) as Pick<Measures, K>;
}

/** Keeps the given order, without empty ones. */
export async function totalsEach<K extends keyof Measures = keyof Measures>(
  tx: Tx,
  accountId: string,
  asked: Lines & Span & Wanted<K> & { order?: { by: K; descending: boolean; limit: number } },
): Promise<TotalsRow<K>[]> {
  const query = await visible(tx, asked);
  const want: readonly (keyof Measures)[] = query.want ?? allMeasures;
  const pieces = piecesOf([query], await readMarks(tx, sourceScope(query)), '1d');
  if (pieces.length === 0 || query.ids?.length === 0) return [];
  const lines = lineQuery(accountId, { ...query, pieces, bucket: null, want });
  const { order } = query;
  const { rows } = await sql<TotalsRow<K>>`
    select ${sql.join(['id', ...want].map((column) => sql.ref(column)))} from (${lines}) t ${
      order
        ? sql`order by ${sql.ref(order.by)} ${sql.raw(order.descending ? 'desc' : 'asc')} nulls last, id limit ${order.limit}`
        : sql`order by id`
    }`.execute(tx);
  return rows;
}

/** Returns the last rolled-up whole hours, for fast rankings. */
export async function closedHours(tx: Tx, hours: number, now: Date): Promise<Span> {
  const { until } = await readMarks(tx, 'device');
  const to = new Date(Math.min(+until['1h'] || Number.POSITIVE_INFINITY, +floorTo(hour, now)));
  return { from: new Date(+to - hours * hour), to };
}

/** Replaces an account by its visible networks. */
async function visible<Q extends Lines>(tx: Tx, query: Q): Promise<Q> {
  const networks = await raiseWorkMem(tx);
  return query.scope === 'account' && query.ids === null ? { ...query, ids: networks } : query;
}

function sourceScope({ scope, ids }: Lines): Lines['scope'] {
  return scope === 'account' && ids ? 'network' : scope;
}

/** Returns the touched calendar days, cut to the span. */
function daysOf({ from, to }: Span, zone: string): Span[] {
  const days: Span[] = [];
  for (let day = dayOf(from, zone), begin = from; begin < to; day = addDays(day, 1)) {
    const next = startOfDay(addDays(day, 1), zone);
    const end = next < to ? next : to;
    days.push({ from: begin, to: end });
    begin = end;
  }
  return days;
}

function isSum(measure: keyof Measures): boolean {
  return formulas[measure].expression.startsWith('coalesce');
}
