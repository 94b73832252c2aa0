import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import type { DeviceRef } from '../uplink/ports.ts';
import type { StateSummary } from './extract.ts';

/** A state report ready to be written; `state` is the deflated JSON of its parameters. */
export interface StateReport extends DeviceRef, StateSummary {
  at: Date;
  state: Buffer;
}

/** A health report ready to be written; `health` is the deflated JSON of its findings. */
export interface HealthReport extends DeviceRef {
  at: Date;
  sanity: number | null;
  health: Buffer;
}

/** Rows in the order of the key, so that two processes never wait for each other. */
function ordered<T extends DeviceRef>(reports: readonly T[]): T[] {
  return reports.toSorted((a, b) => (a.accountId + a.serial < b.accountId + b.serial ? -1 : 1));
}

/** Writes state reports, one row per device; an older one than the table has is left out. Devices that were unbound meanwhile are, too. */
export async function writeStates(tx: Tx, reports: readonly StateReport[]): Promise<void> {
  if (reports.length === 0) return;
  const rows = ordered(reports);
  const column = <K extends keyof StateReport>(key: K) => rows.map((row) => row[key]);
  await sql`
    insert into device_latest (account_id, serial, at, state, uuid, uptime_s, cpu_pct, mem_used, mem_total, load1,
      clients_2g, clients_5g, clients_6g, clients_total)
    select r.* from unnest(
      ${column('accountId')}::uuid[], ${column('serial')}::text[], ${column('at')}::timestamptz[], ${column('state')}::bytea[],
      ${column('uuid')}::bigint[], ${column('uptimeS')}::bigint[], ${column('cpuPct')}::real[], ${column('memUsed')}::bigint[],
      ${column('memTotal')}::bigint[], ${column('load1')}::real[], ${column('clients2g')}::int[], ${column('clients5g')}::int[],
      ${column('clients6g')}::int[], ${column('clientsTotal')}::int[])
      as r (account_id, serial, at, state, uuid, uptime_s, cpu_pct, mem_used, mem_total, load1, c2, c5, c6, total)
    join serial_directory d on d.serial = r.serial and d.account_id = r.account_id
    on conflict (account_id, serial) do update set
      at = excluded.at, state = excluded.state, uuid = excluded.uuid, uptime_s = excluded.uptime_s, cpu_pct = excluded.cpu_pct,
      mem_used = excluded.mem_used, mem_total = excluded.mem_total, load1 = excluded.load1, clients_2g = excluded.clients_2g,
      clients_5g = excluded.clients_5g, clients_6g = excluded.clients_6g, clients_total = excluded.clients_total
    where device_latest.at is null or device_latest.at <= excluded.at
  `.execute(tx);
}

/** Writes health reports, likewise. */
export async function writeHealth(tx: Tx, reports: readonly HealthReport[]): Promise<void> {
  if (reports.length === 0) return;
  const rows = ordered(reports);
  const column = <K extends keyof HealthReport>(key: K) => rows.map((row) => row[key]);
  await sql`
    insert into device_latest (account_id, serial, sanity, health, health_at)
    select r.* from unnest(${column('accountId')}::uuid[], ${column('serial')}::text[], ${column('sanity')}::smallint[],
      ${column('health')}::bytea[], ${column('at')}::timestamptz[]) as r (account_id, serial, sanity, health, health_at)
    join serial_directory d on d.serial = r.serial and d.account_id = r.account_id
    on conflict (account_id, serial) do update set
      sanity = excluded.sanity, health = excluded.health, health_at = excluded.health_at
    where device_latest.health_at is null or device_latest.health_at <= excluded.health_at
  `.execute(tx);
}
