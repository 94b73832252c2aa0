import { type RawBuilder, sql } from 'kysely';
import { bucketLength, hour, inNetworks } from '../layers.ts';
import { measuresOf, measuresOfSamples } from '../measures.ts';
import { formulas } from './measures.ts';
import type { Piece, Source } from './pieces.ts';
import type { Lines, Measures } from './types.ts';

const lengths: Readonly<Record<Exclude<Source, 'reports'>, number>> = {
  '5m': bucketLength,
  '1h': hour,
  '1d': 24 * hour,
};
/** More buckets are read as a range. */
const maxLookups = 20_000;

/** Above this, planning costs more than look-ups. */
const maxRanges = 4;

export interface SeriesSource extends Lines {
  pieces: readonly Piece[];
  want: readonly (keyof Measures)[];
  together?: boolean;
  /** Maps to the result's bucket; null combines the span. */
  bucket: RawBuilder<unknown> | null;
}

export function lineQuery(accountId: string, query: SeriesSource): RawBuilder<Record<string, unknown>> {
  const columns = [...new Set(query.want.flatMap((measure) => formulas[measure].columns))];
  const sources = [...new Set(query.pieces.map(({ source }) => source))];
  const parts = sources.map((source) => {
    const pieces = query.pieces.filter((piece) => piece.source === source);
    return source === 'reports'
      ? fromReports(accountId, query, pieces, columns)
      : fromRollup(accountId, query, source, pieces, columns);
  });
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  // hourly rows cannot tell which networks' clients were present together
  const several = query.scope === 'account' ? (query.ids?.length ?? 0) > 1 : query.together && query.ids?.length !== 1;
  const blurred = several && sources.some((one) => one === '1h' || one === '1d');
  const shown = query.want.map((measure) => {
    const expression = blurred && measure === 'clientsMax' ? 'null::float8' : formulas[measure].expression;
    return `${expression} as "${measure}"`;
  });
  return sql`
    with part as (${all}),
      line as (select id, bucket${sql.raw(measuresOf('merge', columns))} from part group by id, bucket),
      folded as (select id, ${query.bucket ?? sql`null::timestamptz`} as bucket${sql.raw(measuresOf('fold', columns))}
        from line group by 1, 2)
    select id, bucket, ${sql.raw(shown.join(', '))} from folded`;
}

function idOf({ scope, together }: SeriesSource): string {
  if (scope === 'account' || together) return 'null::text';
  return scope === 'network' ? 'gwid::text' : 'serial';
}

function narrowed({ scope, ids, gwids }: Lines): RawBuilder<unknown> {
  const byNetwork = scope === 'device' ? (gwids ?? null) : ids;
  const networks = byNetwork ? sql` and gwid = any(${byNetwork}::uuid[])` : sql``;
  return scope === 'device' && ids ? sql`${networks} and serial = any(${ids}::text[])` : networks;
}

function isNarrow({ scope, ids, gwids }: Lines): boolean {
  return ids !== null || (scope === 'device' && Boolean(gwids));
}

function fromRollup(
  accountId: string,
  query: SeriesSource,
  source: Exclude<Source, 'reports'>,
  pieces: readonly Piece[],
  columns: readonly string[],
): RawBuilder<unknown> {
  const { scope, ids } = query;
  const table = `rollup_${scope === 'account' && ids ? 'network' : scope}_${source}`;
  const buckets = bucketsOf(pieces, lengths[source]);
  // an account is one row per bucket
  const lines = ids?.length ?? (scope === 'account' && pieces.length > maxRanges ? 1 : Number.POSITIVE_INFINITY);
  const when =
    lines * buckets.length <= maxLookups ? sql`bucket = any(${buckets}::timestamptz[])` : within('bucket', pieces);
  return sql`
    select ${sql.raw(idOf(query))} as id, bucket, ${sql.raw(columns.join(', '))} from ${sql.table(table)}
    where account_id = ${accountId} and ${when}${narrowed(query)}`;
}

function fromReports(
  accountId: string,
  query: SeriesSource,
  pieces: readonly Piece[],
  columns: readonly string[],
): RawBuilder<unknown> {
  const rows = sql`device_sample where account_id = ${accountId} and ${within('at', pieces)}`;
  const id = sql.raw(idOf(query));
  const bucket = sql.raw("date_bin('5 minutes', at, 'epoch') as bucket");
  const mine = sql`${narrowed(query)}${query.scope === 'account' ? inNetworks : sql``}`;
  const sums = sql`
    select ${id} as id, ${bucket}${sql.raw(picked(columns, (column) => !isClients(column)))}
    from ${rows}${mine} group by 1, 2`;
  if (!columns.some(isClients)) return sums;
  // a moved device shares its mean clients by number of reports
  const everywhere = isNarrow(query) ? sql` and serial in (select serial from ${rows}${mine})` : sql``;
  const clients = sql`
    select ${id} as id, bucket, ${sql.raw(columns.map((column) => (isClients(column) ? column : `null as ${column}`)).join(', '))}
    from (
      select account_id, ${bucket}, gwid, serial${sql.raw(measuresOfSamples(columns.filter(isClients)))}
      from ${rows}${everywhere} group by 1, 2, 3, 4) fresh
    where true${mine}`;
  return columns.every(isClients) ? clients : sql`${sums} union all ${clients}`;
}

const isClients = (column: string) => column.startsWith('clients');

function picked(columns: readonly string[], wanted: (column: string) => boolean): string {
  return columns.map((column) => (wanted(column) ? measuresOfSamples([column]) : `, null as ${column}`)).join('');
}

function within(column: string, pieces: readonly Piece[]): RawBuilder<unknown> {
  const time = sql.ref(column);
  const each = pieces.map(({ from, to }) => sql`(${time} >= ${from} and ${time} < ${to})`);
  return sql`(${sql.join(each, sql` or `)})`;
}

function bucketsOf(pieces: readonly Piece[], length: number): Date[] {
  return pieces.flatMap(({ from, to }) =>
    Array.from({ length: Math.round((+to - +from) / length) }, (_, index) => new Date(+from + index * length)),
  );
}
