import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { outdated } from '../firmware/newest.ts';

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

/** Joins untabled numbers as `given.number`. */
export function joinNumbers(serial: RawBuilder<unknown>, numbers: ReadonlyMap<string, number>): RawBuilder<unknown> {
  return sql`left join unnest(${[...numbers.keys()]}::text[], ${[...numbers.values()]}::float8[]) as given (serial, number)
    on given.serial = ${serial}`;
}

export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

export function rankOfRow(alias: string, now: Date): RawBuilder<number> {
  const ref = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<number>`platform.presence(${ref('online')}, ${ref('restarting_since')}, ${ref('last_seen')}, ${ref('first_seen')}, ${now}::timestamptz)`;
}

export async function isOutdated(tx: Tx, accountId: string): Promise<RawBuilder<unknown>> {
  const keys = (await outdated(tx, accountId)).map(({ model, compatible, firmware }) =>
    [model, compatible ?? '', firmware].join('\n'),
  );
  return sql`d.model || E'\\n' || coalesce(d.compatible, '') || E'\\n' || d.firmware = any(${keys}::text[])`;
}
