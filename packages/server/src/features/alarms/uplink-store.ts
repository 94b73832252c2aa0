import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { groupKey, type UplinkGroup } from './shared-uplinks.ts';

/** As it was at the loss. */
export interface LostGroup extends UplinkGroup {
  lostAt: Date;
}

export async function readUplinks(tx: Tx, accountId: string): Promise<LostGroup[]> {
  const { rows } = await sql<{ gwid: string; parent: string; part: string; members: string[]; lostAt: Date }>`
    select gwid, parent, part, members, lost_at as "lostAt" from alarm_uplink where account_id = ${accountId}
  `.execute(tx);
  return rows.map(({ parent, ...group }) => ({ ...group, parent: parent || null }));
}

/** Remembers groups lost together; deletes others. */
export async function saveUplinks(
  tx: Tx,
  accountId: string,
  { before, lost }: { before: readonly LostGroup[]; lost: readonly LostGroup[] },
): Promise<void> {
  const idOf = (group: LostGroup) => `${groupKey(group)} ${group.lostAt.getTime()}`;
  const kept = new Set(lost.map(idOf));
  const known = new Set(before.map(idOf));
  for (const { gwid, parent, part } of before.filter((group) => !kept.has(idOf(group))))
    await sql`
      delete from alarm_uplink
      where account_id = ${accountId} and gwid = ${gwid} and parent = ${parent ?? ''} and part = ${part}
    `.execute(tx);
  for (const { gwid, parent, part, members, lostAt } of lost.filter((group) => !known.has(idOf(group))))
    await sql`
      insert into alarm_uplink (account_id, gwid, parent, part, members, lost_at)
      values (${accountId}, ${gwid}, ${parent ?? ''}, ${part}, ${[...members]}::text[], ${lostAt})
    `.execute(tx);
}
