import { type Tx, tables } from '../../platform/database/index.ts';
import { addressKey } from '../../platform/http/address.ts';
import type { IdentityTables } from './tables.ts';

/** Finds sessions of owners or admins of all networks at the address. System role. */
export async function isSignedInFrom(tx: Tx, accountId: string, address: string, since: Date): Promise<boolean> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('member as m')
    .innerJoin('user_session as s', (join) =>
      join.onRef('s.account_id', '=', 'm.person_account_id').onRef('s.person_id', '=', 'm.person_id'),
    )
    .select('s.ip')
    .distinct()
    .where('m.account_id', '=', accountId)
    .where('m.role', 'in', ['owner', 'admin'])
    .where('m.gwids', 'is', null)
    .where('s.last_active_at', '>', since)
    .execute();
  return rows.some(({ ip }) => ip !== null && addressKey(ip) === addressKey(address));
}
