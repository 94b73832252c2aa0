import { type RawBuilder, sql } from 'kysely';

/** What lists show of a device's latest report; columns of the alias `latest` in a query with `joinLatest`. */
export interface LatestColumns {
  as_of: Date | null;
  running_time: number | null;
  cpu: number | null;
  mem_used: number | null;
  mem_total: number | null;
  online_user: number | null;
  sanity: number | null;
  /** Entries in the table of connections, and how many it takes; null where the device does not tell. */
  connections: number | null;
  connections_max: number | null;
}

/** Joins the latest report to the rows of a device alias: `from device d ${joinLatest('d')}`. */
export function joinLatest(device: string): RawBuilder<unknown> {
  const ref = (column: string) => sql.ref(`${device}.${column}`);
  return sql`left join device_latest latest on latest.account_id = ${ref('account_id')} and latest.serial = ${ref('serial')}`;
}

/** Selects the columns of `LatestColumns`. */
export const latestColumns: RawBuilder<unknown> = sql`
  latest.at as as_of, latest.uptime_s as running_time, latest.cpu_pct as cpu, latest.mem_used, latest.mem_total,
  latest.clients_total as online_user, latest.sanity,
  (latest.edge->>'connections')::integer as connections, (latest.edge->>'connections_max')::integer as connections_max`;

/** Terminals in the latest report, for a sort or a sum. */
export const latestTerminals: RawBuilder<number | null> = sql<number | null>`latest.clients_total`;
/** When the latest report came. */
export const latestTime: RawBuilder<Date | null> = sql<Date | null>`latest.at`;
