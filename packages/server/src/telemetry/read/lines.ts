import { type RawBuilder, sql } from 'kysely';
import { bucketLength, hour } from '../layers.ts';
import { measuresOf, measuresOfSamples } from '../measures.ts';
import { formulas } from './measures.ts';
import type { Piece, Source } from './pieces.ts';
import type { Lines, Measures } from './types.ts';

const lengths: Readonly<Record<Exclude<Source, 'reports'>, number>> = {
  '5m': bucketLength,
  '1h': hour,
  '1d': 24 * hour,
};
/** A line's buckets are looked up one by one as long as they are no more than this; beyond, the stretch is read through. */
const mostLookups = 20_000;

/** More stretches than this cost more to plan than to look up. */
const mostRanges = 4;

/** What is wanted of the lines. */
export interface LineQuery extends Lines {
  pieces: readonly Piece[];
  want: readonly (keyof Measures)[];
  /** All the lines as one. */
  together?: boolean;
  /** How a bucket of the answer is named from the time of a piece's bucket; null puts the whole span together. */
  bucket: RawBuilder<unknown> | null;
}

/** A query for one row for each line and bucket: `id`, `bucket`, and the wanted measures by their names. */
export function lineQuery(accountId: string, query: LineQuery): RawBuilder<Record<string, unknown>> {
  const columns = [...new Set(query.want.flatMap((measure) => formulas[measure].columns))];
  const sources = [...new Set(query.pieces.map(({ source }) => source))];
  const parts = sources.map((source) => {
    const pieces = query.pieces.filter((piece) => piece.source === source);
    return source === 'reports'
      ? fromReports(accountId, query, pieces, columns)
      : fromRollup(accountId, query, source, pieces, columns);
  });
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  // several networks of which only the rows of hours are read: when their terminals were there together is not known
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

function idOf({ scope, together }: LineQuery): string {
  if (scope === 'account' || together) return 'null::text';
  return scope === 'network' ? 'gwid::text' : 'serial';
}

/** Which networks or devices a part is narrowed to. */
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
  query: LineQuery,
  source: Exclude<Source, 'reports'>,
  pieces: readonly Piece[],
  columns: readonly string[],
): RawBuilder<unknown> {
  const { scope, ids } = query;
  const table = `rollup_${scope === 'account' && ids ? 'network' : scope}_${source}`;
  const buckets = bucketsOf(pieces, lengths[source]);
  // a whole account is one line, all networks or devices are many
  const lines = ids?.length ?? (scope === 'account' && pieces.length > mostRanges ? 1 : Number.POSITIVE_INFINITY);
  const when =
    lines * buckets.length <= mostLookups ? sql`bucket = any(${buckets}::timestamptz[])` : within('bucket', pieces);
  return sql`
    select ${sql.raw(idOf(query))} as id, bucket, ${sql.raw(columns.join(', '))} from ${sql.table(table)}
    where account_id = ${accountId} and ${when}${narrowed(query)}`;
}

function fromReports(
  accountId: string,
  query: LineQuery,
  pieces: readonly Piece[],
  columns: readonly string[],
): RawBuilder<unknown> {
  const rows = sql`device_sample where account_id = ${accountId} and ${within('at', pieces)}`;
  const id = sql.raw(idOf(query));
  const bucket = sql.raw("date_bin('5 minutes', at, 'epoch') as bucket");
  const mine = narrowed(query);
  const sums = sql`
    select ${id} as id, ${bucket}${sql.raw(picked(columns, (column) => !isClients(column)))}
    from ${rows}${mine} group by 1, 2`;
  if (!columns.some(isClients)) return sums;
  // terminals are a mean of each device; one that changed its network shares them by all its reports of the bucket
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

/** Measures of reports, in their order; those that are left out are null. */
function picked(columns: readonly string[], wanted: (column: string) => boolean): string {
  return columns.map((column) => (wanted(column) ? measuresOfSamples([column]) : `, null as ${column}`)).join('');
}

function within(column: string, pieces: readonly Piece[]): RawBuilder<unknown> {
  const time = sql.ref(column);
  const each = pieces.map(({ from, to }) => sql`(${time} >= ${from} and ${time} < ${to})`);
  return sql`(${sql.join(each, sql` or `)})`;
}

/** The begins of all buckets of some pieces. */
function bucketsOf(pieces: readonly Piece[], length: number): Date[] {
  return pieces.flatMap(({ from, to }) =>
    Array.from({ length: Math.round((+to - +from) / length) }, (_, index) => new Date(+from + index * length)),
  );
}
