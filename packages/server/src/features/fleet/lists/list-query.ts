import { type RawBuilder, sql } from 'kysely';

/** Joins untabled numbers as `given.number`. */
export function joinNumbers(serial: RawBuilder<unknown>, numbers: ReadonlyMap<string, number>): RawBuilder<unknown> {
  return sql`left join unnest(${[...numbers.keys()]}::text[], ${[...numbers.values()]}::float8[]) as given (serial, number)
    on given.serial = ${serial}`;
}

export function rankOfRow(alias: string, now: Date): RawBuilder<number> {
  const ref = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<number>`platform.presence(${ref('online')}, ${ref('restarting_since')}, ${ref('last_seen')}, ${ref('first_seen')}, ${now}::timestamptz)`;
}
