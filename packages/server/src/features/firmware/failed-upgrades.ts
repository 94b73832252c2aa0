import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';

/** Days in which a failed upgrade is found by itself. */
const days = 7;

/** Covers all accounts: the last seven days, and `tracked` ones. System role. */
export async function failedUpgrades(
  tx: Tx,
  now: Date,
  tracked: readonly DeviceRef[],
): Promise<(DeviceRef & { since: Date })[]> {
  const { rows } = await sql<DeviceRef & { since: Date }>`
    select "accountId", serial, since from (
      select distinct on (l.account_id, l.serial) l.account_id as "accountId", l.serial, l.at as since, l.result
      from (
        -- two arms, each with an index: an "or" would scan 400 days of the log
        select account_id, serial, at, id, result from upgrade_log
        where action = 'upgrade' and at > ${new Date(now.getTime() - days * 86_400_000)}
        union all
        select u.account_id, u.serial, u.at, u.id, u.result
        from (select distinct * from unnest(${tracked.map((ref) => ref.accountId)}::uuid[],
          ${tracked.map((ref) => ref.serial)}::text[]) as r (account_id, serial)) t
        join upgrade_log u using (account_id, serial) where u.action = 'upgrade'
      ) l
      order by l.account_id, l.serial, l.at desc, l.id desc
    ) newest where result = 'failed'
  `.execute(tx);
  return rows;
}
