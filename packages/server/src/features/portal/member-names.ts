import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { portal } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

/** Returns those of the names that accounts of the network have, in lower case. */
export async function takenMemberNames(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const lower = sql<string>`lower(name)`;
  const rows = await portal(tx)
    .selectFrom('portal_member')
    .select(lower.as('name'))
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where(lower, 'in', names.length > 0 ? names.map((name) => name.toLowerCase()) : [''])
    .execute();
  return new Set(rows.map(({ name }) => name));
}
