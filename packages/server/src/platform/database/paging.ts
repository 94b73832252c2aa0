import { type RawBuilder, sql } from 'kysely';

export interface Page {
  limit: number;
  offset: number;
  descending: boolean;
}

export function pageOf(input: {
  page?: number | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
}): Page {
  const limit = input.limit ?? 10;
  return { limit, offset: ((input.page ?? 1) - 1) * limit, descending: input.order === 'desc' };
}

/** Sorts nulls last, then by a unique column. */
export function orderBy(
  expression: RawBuilder<unknown>,
  page: Page,
  tie: RawBuilder<unknown>,
  nullable = true,
): RawBuilder<unknown> {
  // an index cannot serve "desc nulls last"; "asc" implies it
  const direction = sql.raw(page.descending ? (nullable ? 'desc nulls last' : 'desc') : 'asc');
  return sql`order by ${expression} ${direction}, ${tie} ${sql.raw(page.descending ? 'desc' : 'asc')}`;
}

export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}
