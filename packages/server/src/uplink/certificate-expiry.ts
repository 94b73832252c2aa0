import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import type { DeviceRef } from './ports.ts';

/** Covers all accounts. System role. */
export async function expiringCertificates(tx: Tx, before: Date): Promise<(DeviceRef & { expiresAt: Date })[]> {
  const { rows } = await sql<DeviceRef & { expiresAt: Date }>`
    select c.account_id as "accountId", c.serial, max(c.expires_at) as "expiresAt" from device_certificate c
    where c.revoked_at is null and c.expires_at < ${before} and not exists (
      select from device_certificate n where n.account_id = c.account_id and n.serial = c.serial
        and n.revoked_at is null and n.expires_at >= ${before})
    group by c.account_id, c.serial
  `.execute(tx);
  return rows;
}
