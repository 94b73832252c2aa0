import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { outdated } from '../firmware/newest.ts';

/** Joins untabled numbers as `given.number`. */
export function joinNumbers(serial: RawBuilder<unknown>, numbers: ReadonlyMap<string, number>): RawBuilder<unknown> {
  return sql`left join unnest(${[...numbers.keys()]}::text[], ${[...numbers.values()]}::float8[]) as given (serial, number)
    on given.serial = ${serial}`;
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
