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

/** Returns past ones too, the earliest first. */
export async function plannedOf(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, readonly Planned[]>> {
  const { rows } = await sql<Planned>`
    select gwid, begins_at as "from", ends_at as "to" from network_maintenance
    where account_id = ${accountId} and gwid = any(${[...gwids]}::uuid[]) order by begins_at
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
