import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { WhoIsThere } from '../jobs/service.ts';
import { fleet } from './tables.ts';

/** Which items of a job have a device that is online. */
export function whoIsThere(database: Database): WhoIsThere {
  return async (items, { account_id: accountId }) => {
    const serials = items.flatMap(({ serial }) => serial ?? []);
    const online = await database.withSystem((tx) =>
      fleet(tx)
        .selectFrom('device')
        .select('serial')
        .where('account_id', '=', accountId)
        .where('serial', '=', sql<string>`any(${serials}::text[])`)
        .where('online', '=', true)
        .execute(),
    );
    const found = new Set(online.map(({ serial }) => serial));
    return new Set(items.flatMap(({ seq, serial }) => (serial !== null && found.has(serial) ? [seq] : [])));
  };
}
