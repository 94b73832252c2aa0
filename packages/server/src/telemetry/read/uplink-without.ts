import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { bucketLength, floorTo, hour } from '../layers.ts';
import { bucketsOf } from './lines.ts';
import { piecesOf, readMarks } from './pieces.ts';
import { series } from './series.ts';
import type { Span } from './types.ts';

/** Bytes through the uplinks of some devices in an hour. */
export interface HourBytes {
  /** Its begin. */
  bucket: Date;
  bytes: number;
}

/** What the devices of an account came to in a closed bucket, and the account's own row at that moment. */
interface Known {
  account: string;
  bytes: number;
}

/** Of which devices, and by which bucket of which layer. */
interface Remembered {
  devices: string;
  buckets: Map<string, Known>;
}

const accountsAtMost = 2000;
const remembered = new Map<string, Remembered>();

const lengths = { '1h': hour, '5m': bucketLength } as const;

/**
 * Bytes through the uplinks of many devices of a whole account together, hour by hour. Rows of every device are a hundred
 * times those of the account, so what closed buckets came to is remembered, and holds as long as the account's own row of
 * the bucket says the same: a report that came late is in that row too.
 */
export async function bytesOfMany(
  tx: Tx,
  accountId: string,
  { from, to, serials }: Span & { serials: readonly string[] },
): Promise<HourBytes[]> {
  const devices = createHash('sha256').update(serials.join()).digest('base64');
  const before = remembered.get(accountId);
  const known = before?.devices === devices ? before.buckets : new Map<string, Known>();
  const next: Remembered = { devices, buckets: new Map() };
  const pieces = piecesOf([{ from, to }], await readMarks(tx, 'device'), '1h');
  const found: HourBytes[] = [];
  for (const source of ['1h', '5m'] as const) {
    const buckets = bucketsOf(
      pieces.filter((piece) => piece.source === source),
      lengths[source],
    );
    const states = await statesOf(tx, accountId, source, buckets);
    const missing = buckets.filter((bucket) => {
      const one = known.get(`${source} ${+bucket}`);
      return one === undefined || one.account !== states.get(+bucket);
    });
    const summed = await sumUp(tx, accountId, source, missing, serials);
    for (const bucket of buckets) {
      const key = `${source} ${+bucket}`;
      const one = summed.get(+bucket) ?? known.get(key)!;
      if (one.account !== '') next.buckets.set(key, one);
      found.push({ bucket: floorTo(hour, bucket), bytes: one.bytes });
    }
  }
  // the one asked about last goes last
  remembered.delete(accountId);
  remembered.set(accountId, next);
  for (const first of remembered.keys()) {
    if (remembered.size <= accountsAtMost) break;
    remembered.delete(first);
  }
  for (const piece of pieces.filter(({ source }) => source === 'reports')) {
    const rows = await series(tx, accountId, {
      ...{ scope: 'device', ids: serials, together: true, step: '1h', want: ['wanDown', 'wanUp'] },
      ...{ from: piece.from, to: piece.to },
    });
    found.push(...rows.map(({ bucket, wanDown, wanUp }) => ({ bucket, bytes: wanDown + wanUp })));
  }
  return found;
}

const state = sql<string>`a.samples || ' ' || a.wan_down || ' ' || a.wan_up`;

/** What the account's rows of some buckets say. */
async function statesOf(
  tx: Tx,
  accountId: string,
  source: keyof typeof lengths,
  buckets: readonly Date[],
): Promise<ReadonlyMap<number, string>> {
  if (buckets.length === 0) return new Map();
  const { rows } = await sql<{ bucket: Date; account: string }>`
    select bucket, ${state} as account from ${sql.table(`rollup_account_${source}`)} a
    where account_id = ${accountId} and bucket = any(${[...buckets]}::timestamptz[])
  `.execute(tx);
  return new Map(rows.map(({ bucket, account }) => [+bucket, account]));
}

/** Sums the devices' rows of some buckets, with what the account's row says at the same moment (nothing where there is none). */
async function sumUp(
  tx: Tx,
  accountId: string,
  source: keyof typeof lengths,
  buckets: readonly Date[],
  serials: readonly string[],
): Promise<ReadonlyMap<number, Known>> {
  if (buckets.length === 0) return new Map();
  const { rows } = await sql<Known & { bucket: Date }>`
    select b.bucket, coalesce(${state}, '') as account, coalesce(d.bytes, 0)::bigint as bytes
    from unnest(${[...buckets]}::timestamptz[]) b (bucket)
    left join (
      select bucket, sum(wan_down + wan_up) as bytes from ${sql.table(`rollup_device_${source}`)}
      where account_id = ${accountId} and bucket = any(${[...buckets]}::timestamptz[]) and serial = any(${[...serials]}::text[])
      group by 1) d on d.bucket = b.bucket
    left join ${sql.table(`rollup_account_${source}`)} a on a.account_id = ${accountId} and a.bucket = b.bucket
  `.execute(tx);
  return new Map(rows.map(({ bucket, account, bytes }) => [+bucket, { account, bytes }]));
}
