import { type Kysely, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { fleet, type MaintenanceTable } from '../tables.ts';

/** As long as outages. */
const keepDays = 400;

export interface Planned {
  gwid: string;
  from: Date;
  to: Date;
}

/** Returns those that end after `since` and begin by `until` (null: ever), the earliest first. */
export async function plannedOf(
  tx: Tx,
  accountId: string,
  since: ReadonlyMap<string, Date>,
  until: Date | null,
): Promise<ReadonlyMap<string, readonly Planned[]>> {
  const { rows } = await sql<Planned>`
    select m.gwid, begins_at as "from", ends_at as "to" from network_maintenance m
    join unnest(${[...since.keys()]}::uuid[], ${[...since.values()]}::timestamptz[]) n (gwid, since)
      on m.gwid = n.gwid and m.ends_at > n.since
    where m.account_id = ${accountId} and (${until}::timestamptz is null or m.begins_at <= ${until})
    order by begins_at
  `.execute(tx);
  const byNetwork = new Map<string, Planned[]>();
  for (const row of rows) {
    const known = byNetwork.get(row.gwid);
    if (known) known.push(row);
    else byNetwork.set(row.gwid, [row]);
  }
  return byNetwork;
}

export async function plannedBetween(
  tx: Tx,
  accountId: string,
  { from, to }: { from: Date; to: Date },
): Promise<Planned[]> {
  const { rows } = await sql<Planned>`
    select gwid, begins_at as "from", ends_at as "to" from network_maintenance
    where account_id = ${accountId} and ends_at > ${from} and begins_at < ${to}
  `.execute(tx);
  return rows;
}

export function listPlanned(tx: Tx, accountId: string, gwid: string, now: Date): Promise<MaintenanceTable[]> {
  return fleet(tx)
    .selectFrom('network_maintenance')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('ends_at', '>', now)
    .orderBy('begins_at')
    .orderBy('id')
    .execute();
}

export async function knownMaintenance(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fleet(tx)
    .selectFrom('network_maintenance')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function pruneMaintenance(db: Kysely<unknown>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keepDays * 86_400_000);
  await fleet(db).deleteFrom('network_maintenance').where('ends_at', '<', before).execute();
}
