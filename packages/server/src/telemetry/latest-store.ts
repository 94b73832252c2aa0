import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import type { DeviceRef } from '../uplink/ports.ts';

/** `health`: deflated JSON. */
export interface HealthReport extends DeviceRef {
  at: Date;
  sanity: number | null;
  health: Buffer;
}

/** Skips unbound devices and stale reports. */
export async function writeHealth(tx: Tx, reports: readonly HealthReport[]): Promise<void> {
  if (reports.length === 0) return;
  // key order prevents deadlocks
  const rows = reports.toSorted((a, b) => (a.accountId + a.serial < b.accountId + b.serial ? -1 : 1));
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
