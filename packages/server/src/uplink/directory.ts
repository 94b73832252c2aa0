import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import { tables } from '../platform/database/index.ts';
import type { SerialDirectoryTable, UplinkTables } from './tables.ts';

/** Why a certificate no longer counts. */
export type RevocationReason = 're-enrolled' | 'renewed' | 'unbound' | 'lapsed' | 'revoked';

/** An enrolment that never led to a session lapses after this long. */
export const enrolmentLapsesAfter = 24 * 60 * 60 * 1000;

const uplink = (tx: Tx) => tables<UplinkTables>(tx);

/** Takes the serial's row for an account, or locks the one that is there; `mine` says whether the row is new. */
export async function claimSerial(
  tx: Tx,
  serial: string,
  accountId: string,
  now: Date,
): Promise<{ row: SerialDirectoryTable; fresh: boolean }> {
  const inserted = await uplink(tx)
    .insertInto('serial_directory')
    .values({ serial, account_id: accountId, enrolled_at: now, first_connected_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return { row: inserted, fresh: true };
  const row = await uplink(tx)
    .selectFrom('serial_directory')
    .selectAll()
    .where('serial', '=', serial)
    .forUpdate()
    .executeTakeFirst();
  // its holder let go of it between the two statements
  return row ? { row, fresh: false } : claimSerial(tx, serial, accountId, now);
}

/** Writes the serial's row anew for an account. */
export async function takeOverSerial(tx: Tx, serial: string, accountId: string, now: Date): Promise<void> {
  await uplink(tx)
    .updateTable('serial_directory')
    .set({ account_id: accountId, enrolled_at: now, first_connected_at: null })
    .where('serial', '=', serial)
    .execute();
}

/** Whether an enrolment was never used and is old enough for another account to take the serial. */
export function hasLapsed(row: SerialDirectoryTable, now: Date): boolean {
  return row.first_connected_at === null && now.getTime() - row.enrolled_at.getTime() > enrolmentLapsesAfter;
}

/** Revokes every certificate the serial has in the account; says how many were good until now. */
export async function revokeCertificates(
  tx: Tx,
  accountId: string,
  serial: string,
  reason: RevocationReason,
  now: Date,
): Promise<number> {
  const result = await uplink(tx)
    .updateTable('device_certificate')
    .set({ revoked_at: now, revoked_reason: reason })
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Takes everything of a device out of the uplink's tables, but its revoked certificates. */
export async function forgetDevice(tx: Tx, accountId: string, serial: string, now: Date): Promise<void> {
  await revokeCertificates(tx, accountId, serial, 'unbound', now);
  const db = uplink(tx);
  for (const table of ['device_link', 'device_password', 'device_latest'] as const) {
    await db.deleteFrom(table).where('account_id', '=', accountId).where('serial', '=', serial).execute();
  }
}

/** Frees the serial when the account holds it; another account may enrol it then. Also within a request's transaction. */
export async function freeSerial(tx: Tx, accountId: string, serial: string): Promise<boolean> {
  const { rows } = await sql<{ freed: boolean }>`select platform.free_serial(${accountId}, ${serial}) as freed`.execute(
    tx,
  );
  return rows[0]?.freed ?? false;
}
