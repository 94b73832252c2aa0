import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { bucketLength, ceilTo, floorTo, hour } from '../layers.ts';
import type { ReadScope, Span } from './types.ts';

const day = 24 * hour;

export type Source = 'reports' | '5m' | '1h' | '1d';

export interface Piece extends Span {
  source: Source;
}

/** Progress of the rollups, late buckets, and first kept time per step. */
export interface Marks {
  until: Readonly<Record<'5m' | '1h' | '1d', Date>>;
  kept: Readonly<Record<'5m' | '1h', Date>>;
  late: readonly Date[];
}

/** Reads everything from reports without rollups. */
export async function readMarks(tx: Tx, scope: ReadScope): Promise<Marks> {
  const { rows } = await sql<{ step: '5m' | '1h' | '1d'; until: Date; days: number; late: Date[] | null }>`
    select right(p.name, 2) as step, p.until, t.days,
      case when p.name like '%5m' then (select array_agg(distinct bucket order by bucket) from platform.rollup_late) end as late
    from platform.rollup_progress p join platform.partitioned t using (name)
    where p.name = any(${['5m', '1h', '1d'].map((step) => `rollup_${scope}_${step}`)})
  `.execute(tx);
  const of = (step: string) => rows.find((row) => row.step === step);
  const begin = new Date(0);
  const until = { '5m': of('5m')?.until ?? begin, '1h': of('1h')?.until ?? begin, '1d': of('1d')?.until ?? begin };
  const kept = (step: '5m' | '1h') => new Date(+floorTo(day, until['5m']) - ((of(step)?.days ?? 36_600) - 1) * day);
  return { until, kept: { '5m': kept('5m'), '1h': kept('1h') }, late: of('5m')?.late ?? [] };
}

/**
 * Reads whole days and hours from rollups, edges from five-minute rows, late or open parts from reports. An edge older
 * than its fine rows moves to the next full hour or day, so that spans neither overlap nor leave gaps.
 */
export function piecesOf(spans: readonly Span[], marks: Marks, coarsest: '5m' | '1h' | '1d'): Piece[] {
  const found: Piece[] = [];
  const add = (source: Source, from: Date, to: Date) => {
    if (from >= to) return;
    const last = found.findLast((piece) => piece.source === source);
    if (last && +last.to === +from) last.to = to;
    else found.push({ source, from, to });
  };
  for (const span of spans) {
    const [from, to] = [keptEdge(span.from, marks), keptEdge(span.to, marks)];
    let since = from;
    for (const [lateFrom, lateTo] of lateWithin(from, earlier(to, marks.until['5m']), marks.late)) {
      rolled(since, lateFrom);
      add('reports', lateFrom, lateTo);
      since = lateTo;
    }
    rolled(since, earlier(to, marks.until['5m']));
    add('reports', later(since, marks.until['5m']), to);
  }
  return found;

  function rolled(from: Date, to: Date): void {
    if (from >= to) return;
    if (coarsest === '5m') add('5m', from, to);
    else
      cut(
        from,
        earlier(to, marks.until['1h']),
        hour,
        hours,
        (a, b) => add('5m', a, b),
        () => add('5m', later(from, marks.until['1h']), to),
      );
  }
  function hours(from: Date, to: Date): void {
    if (coarsest === '1h') add('1h', from, to);
    else
      cut(
        from,
        earlier(to, marks.until['1d']),
        day,
        (a, b) => add('1d', a, b),
        (a, b) => add('1h', a, b),
        () => add('1h', later(from, marks.until['1d']), to),
      );
  }
}

function cut(
  from: Date,
  bound: Date,
  unit: number,
  whole: (from: Date, to: Date) => void,
  edge: (from: Date, to: Date) => void,
  beyond: () => void,
): void {
  const [first, last] = [ceilTo(unit, from), floorTo(unit, bound)];
  if (first < last) {
    edge(from, first);
    whole(first, last);
    edge(last, bound);
  } else if (from < bound) edge(from, bound);
  beyond();
}

function keptEdge(edge: Date, { kept }: Marks): Date {
  if (edge < kept['1h']) return ceilTo(day, edge);
  return edge < kept['5m'] ? ceilTo(hour, edge) : floorTo(bucketLength, edge);
}

function* lateWithin(from: Date, to: Date, late: readonly Date[]): Iterable<[Date, Date]> {
  for (const bucket of late) {
    if (bucket >= from && bucket < to) yield [bucket, new Date(bucket.getTime() + bucketLength)];
  }
}

const earlier = (a: Date, b: Date) => (a < b ? a : b);
const later = (a: Date, b: Date) => (a > b ? a : b);
