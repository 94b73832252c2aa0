import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './index.ts';

/**
 * Reads one page of a query with the total, which a page beyond the end has too.
 * @param order over columns of `rows`
 */
export async function readPage<T>(
  tx: Tx,
  rows: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: T[]; total: number }> {
  const found = await sql<T & { of_all: number }>`
    select *, (count(*) over ())::int as of_all from (${rows}) listed
    order by ${order} limit ${limit} offset ${(page - 1) * limit}`.execute(tx);
  const list = found.rows.map(({ of_all: _all, ...row }) => row as T);
  if (found.rows[0] || page === 1) return { rows: list, total: found.rows[0]?.of_all ?? 0 };
  const counted = await sql<{ total: number }>`select count(*)::int as total from (${rows}) listed`.execute(tx);
  return { rows: list, total: counted.rows[0]!.total };
}
