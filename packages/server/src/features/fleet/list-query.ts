import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { outdated } from '../firmware/newest.ts';

/** The paging of a list call, with its defaults. */
export interface Page {
  limit: number;
  offset: number;
  descending: boolean;
}

/** Reads page, limit and order of a list call. */
export function pageOf(input: {
  page?: number | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
}): Page {
  const limit = input.limit ?? 10;
  return { limit, offset: ((input.page ?? 1) - 1) * limit, descending: input.order === 'desc' };
}

/** `order by` one expression, rows without a value last either way, then by a column that decides. */
export function orderBy(
  expression: RawBuilder<unknown>,
  page: Page,
  tie: RawBuilder<unknown>,
  nullable = true,
): RawBuilder<unknown> {
  // "desc nulls last" could not follow an index, and "asc" means it already
  const direction = sql.raw(page.descending ? (nullable ? 'desc nulls last' : 'desc') : 'asc');
  return sql`order by ${expression} ${direction}, ${tie} ${sql.raw(page.descending ? 'desc' : 'asc')}`;
}

/** All conditions together; true when there are none. */
export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** The pattern of a keyword for `ilike`, its own wildcards taken literally. */
export function containing(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The pattern of a keyword that may be a MAC in any spelling, for a column that holds serials; null when it is none. */
export function serialContaining(keyword: string): string | null {
  const digits = keyword.replace(/[:.-]/g, '').toLowerCase();
  return /^[0-9a-f]{2,12}$/.test(digits) ? `%${digits}%` : null;
}

/** A device row's rank of presence at a moment (`platform.presence`). */
export function rankOfRow(alias: string, now: Date): RawBuilder<number> {
  const ref = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<number>`platform.presence(${ref('online')}, ${ref('restarting_since')}, ${ref('last_seen')}, ${ref('first_seen')}, ${now}::timestamptz)`;
}

/** Whether the catalogue of images has a newer one for a device `d`. */
export async function isOutdated(tx: Tx, accountId: string): Promise<RawBuilder<unknown>> {
  const keys = (await outdated(tx, accountId)).map(({ model, compatible, firmware }) =>
    [model, compatible ?? '', firmware].join('\n'),
  );
  return sql`d.model || E'\\n' || coalesce(d.compatible, '') || E'\\n' || d.firmware = any(${keys}::text[])`;
}
