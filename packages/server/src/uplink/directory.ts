import { type Selectable, sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';
import { tables } from '../platform/database/index.ts';
import { Failure } from '../platform/failure.ts';
import type { SerialDirectoryTable, UplinkTables } from './tables.ts';

export type RevocationReason = 're-enrolled' | 'renewed' | 'unbound' | 'lapsed' | 'revoked';

/** Milliseconds of an enrolment without a session. */
export const enrolmentLapsesAfter = 24 * 60 * 60 * 1000;

/** Claims without a session within 24 hours. */
export const maxUnusedClaims = { account: 2000, source: 2000 } as const;

export type SerialRow = Selectable<SerialDirectoryTable>;

const uplink = (tx: Tx) => tables<UplinkTables>(tx);

export async function claimSerial(
  tx: Tx,
  serial: string,
  accountId: string,
  source: string,
  now: Date,
): Promise<{ row: SerialRow; fresh: boolean }> {
  const inserted = await uplink(tx)
    .insertInto('serial_directory')
    .values({ serial, account_id: accountId, enrolled_at: now, source, first_connected_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return { row: inserted, fresh: true };
  const row = await lockSerial(tx, serial);
  return row ? { row, fresh: false } : claimSerial(tx, serial, accountId, source, now);
}

/**
 * Limits unused claims: serials are easy to invent.
 * @throws Failure limitReached
 */
export async function refuseManyClaims(
  tx: Tx,
  { accountId, source }: { accountId: string; source: string },
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - enrolmentLapsesAfter);
  const { rows } = await sql<{ account: number; source: number }>`
    select
      (select count(*)::int from serial_directory
        where account_id = ${accountId} and enrolled_at > ${since} and first_connected_at is null) as account,
      (select count(*)::int from serial_directory
        where source = ${source} and enrolled_at > ${since} and first_connected_at is null) as source
  `.execute(tx);
  const unused = rows[0]!;
  for (const of of ['account', 'source'] as const) {
    const limit = maxUnusedClaims[of];
    if (unused[of] > limit) throw new Failure('limitReached', { params: { limit, used: unused[of] - 1 } });
  }
}

/** Works for a freed serial too. */
export async function takeOverSerial(
  tx: Tx,
  serial: string,
  accountId: string,
  source: string | null,
  now: Date,
): Promise<void> {
  const claim = { account_id: accountId, enrolled_at: now, source, first_connected_at: null, proven_at: null };
  await uplink(tx)
    .insertInto('serial_directory')
    .values({ serial, ...claim })
    .onConflict((conflict) => conflict.column('serial').doUpdateSet(claim))
    .execute();
}

export async function markProven(tx: Tx, serial: string, now: Date): Promise<void> {
  await uplink(tx).updateTable('serial_directory').set({ proven_at: now }).where('serial', '=', serial).execute();
}

/** Reserves a serial; the claim does not lapse. */
export async function assignSerial(tx: Tx, serial: string, accountId: string, now: Date): Promise<void> {
  await takeOverSerial(tx, serial, accountId, null, now);
  await markProven(tx, serial, now);
}

/** Returns undefined if it is free. */
export function lockSerial(tx: Tx, serial: string): Promise<SerialRow | undefined> {
  return uplink(tx)
    .selectFrom('serial_directory')
    .selectAll()
    .where('serial', '=', serial)
    .forUpdate()
    .executeTakeFirst();
}

export function hasLapsed(row: SerialRow, now: Date): boolean {
  return (
    row.first_connected_at === null &&
    row.proven_at === null &&
    now.getTime() - row.enrolled_at.getTime() > enrolmentLapsesAfter
  );
}

export function goodCertificates(tx: Tx, accountId: string, serial: string) {
  return uplink(tx)
    .selectFrom('device_certificate')
    .select(['fingerprint', 'address'])
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('revoked_at', 'is', null)
    .execute();
}

/** @returns how many certificates were valid */
export async function revokeCertificates(
  tx: Tx,
  accountId: string,
  serial: string,
  reason: RevocationReason,
  now: Date,
): Promise<number> {
  // also ends certificate sharing
  await uplink(tx)
    .deleteFrom('shared_certificate')
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .execute();
  const result = await uplink(tx)
    .updateTable('device_certificate')
    .set({ revoked_at: now, revoked_reason: reason })
    .where('account_id', '=', accountId)
    .where('serial', '=', serial)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Keeps only revoked certificates. */
export async function forgetDevice(tx: Tx, accountId: string, serial: string, now: Date): Promise<void> {
  await revokeCertificates(tx, accountId, serial, 'unbound', now);
  const db = uplink(tx);
  for (const table of ['device_link', 'device_password', 'device_latest'] as const) {
    await db.deleteFrom(table).where('account_id', '=', accountId).where('serial', '=', serial).execute();
  }
}

/** Lets another account enrol the serial, in a request's transaction too. */
export async function freeSerial(tx: Tx, accountId: string, serial: string): Promise<boolean> {
  const { rows } = await sql<{ freed: boolean }>`select platform.free_serial(${accountId}, ${serial}) as freed`.execute(
    tx,
  );
  return rows[0]?.freed ?? false;
}
