import { type RawBuilder, sql } from 'kysely';

export interface LatestColumns {
  as_of: Date | null;
  running_time: number | null;
  cpu: number | null;
  mem_used: number | null;
  mem_total: number | null;
  online_user: number | null;
  sanity: number | null;
  /** Size and limit of the connection table. */
  connections: number | null;
  connections_max: number | null;
}

/** Usage: `from device d ${joinLatest('d')}`. */
export function joinLatest(device: string): RawBuilder<unknown> {
  const ref = (column: string) => sql.ref(`${device}.${column}`);
  return sql`left join device_latest latest on latest.account_id = ${ref('account_id')} and latest.serial = ${ref('serial')}`;
}

export const latestColumns: RawBuilder<unknown> = sql`
  latest.at as as_of, latest.uptime_s as running_time, latest.cpu_pct as cpu, latest.mem_used, latest.mem_total,
  latest.clients_total as online_user, latest.sanity,
  (latest.edge->>'connections')::integer as connections, (latest.edge->>'connections_max')::integer as connections_max`;

/** Sortable; memory as used share. */
export const latestNumbers = {
  cpu: sql`latest.cpu_pct`,
  memory: sql`latest.mem_used::float8 / nullif(latest.mem_total, 0)`,
  connections: sql`(latest.edge->>'connections')::integer`,
  running_time: sql`latest.uptime_s`,
  sanity: sql`latest.sanity`,
} as const;

export const latestTerminals: RawBuilder<number | null> = sql<number | null>`latest.clients_total`;
export const latestTime: RawBuilder<Date | null> = sql<Date | null>`latest.at`;
