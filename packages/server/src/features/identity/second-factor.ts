import { randomBytes } from 'node:crypto';
import { limits } from '@yunxun/contract';
import { Secret, TOTP } from 'otpauth';
import type { PersonKey } from '../../platform/acting.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { digestSecret } from '../../platform/crypto/password.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { lockPerson, personOf } from './people.ts';
import { newReadable, readTyped } from './readable.ts';
import type { IdentityTables } from './tables.ts';

/** RFC 6238 as all apps support it: SHA-1, six digits, 30 s; 160 bits (RFC 4226, R6). */
const period = 30;
const digits = 6;
const secretBytes = 20;
/** Steps of clock error. */
const window = 1;

const context = ({ accountId, personId }: PersonKey) => `totp ${accountId} ${personId}`;

export async function hasSecondFactor(tx: Tx, person: PersonKey): Promise<boolean> {
  return (await personOf(tx, person)).totp_enabled_at !== null;
}

/**
 * Consumes an app code, with earlier steps, or a recovery code. The caller counts wrong ones.
 * @returns null if wrong, used, or without a second factor
 */
export async function takeSecondFactor(
  tx: Tx,
  keys: AccountKeys,
  user: PersonKey,
  code: string,
  now: Date,
): Promise<'totp' | 'recovery' | null> {
  // serializes concurrent uses of a code
  const person = await lockPerson(tx, user);
  if (!person.totp_enabled_at || !person.totp_sealed) return null;
  const typed = code.replace(/\s/g, '');
  if (new RegExp(`^\\d{${digits}}$`).test(typed)) {
    const step = await stepOf(tx, keys, user, person.totp_sealed, typed, now);
    if (step === null || step <= (person.totp_last_step ?? 0)) return null;
    await change(tx, user, { totp_last_step: step });
    return 'totp';
  }
  const used = await useRecoveryCode(tx, user, code);
  return used ? 'recovery' : null;
}

async function useRecoveryCode(tx: Tx, person: PersonKey, code: string): Promise<boolean> {
  const db = tables<IdentityTables>(tx);
  const set = await db
    .selectFrom('recovery_code')
    .select('salt')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .limit(1)
    .executeTakeFirst();
  if (!set) return false;
  const used = await db
    .deleteFrom('recovery_code')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('code_hash', '=', await digestSecret(readTyped(code), set.salt))
    .executeTakeFirst();
  return used.numDeletedRows > 0n;
}

/** Keeps the present secret until the new one is confirmed. */
export async function beginTotp(
  tx: Tx,
  keys: AccountKeys,
  person: PersonKey,
  login: string,
): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: secretBytes });
  const sealer = await keys.of(tx, person.accountId);
  await change(tx, person, { totp_pending_sealed: sealer.seal(Buffer.from(secret.bytes), context(person)) });
  const uri = new TOTP({ issuer: 'Yunxun', label: login, secret, period, digits }).toString();
  return { secret: secret.base32, uri };
}

/** @returns new recovery codes; null for a wrong code */
export async function enableTotp(
  tx: Tx,
  keys: AccountKeys,
  person: PersonKey,
  code: string,
  now: Date,
): Promise<string[] | null> {
  const { totp_pending_sealed: sealed } = await lockPerson(tx, person);
  const step = sealed && (await stepOf(tx, keys, person, sealed, code, now));
  if (!sealed || step === null) return null;
  await change(tx, person, {
    totp_sealed: sealed,
    totp_pending_sealed: null,
    totp_enabled_at: now,
    totp_last_step: step,
  });
  return renewRecoveryCodes(tx, person);
}

/** Deletes recovery codes. @returns whether it was enabled */
export async function disableTotp(tx: Tx, person: PersonKey): Promise<boolean> {
  const { totp_enabled_at } = await lockPerson(tx, person);
  await change(tx, person, {
    totp_sealed: null,
    totp_pending_sealed: null,
    totp_enabled_at: null,
    totp_last_step: null,
  });
  await forgetRecoveryCodes(tx, person);
  return totp_enabled_at !== null;
}

/** Uses one salt per set, so that one argon2id digest finds a 50-bit code. */
export async function renewRecoveryCodes(tx: Tx, person: PersonKey): Promise<string[]> {
  await forgetRecoveryCodes(tx, person);
  const codes = Array.from({ length: limits.recoveryCodes }, () => newReadable(10));
  const salt = randomBytes(16);
  const digests = await Promise.all(codes.map((code) => digestSecret(code, salt)));
  await tables<IdentityTables>(tx)
    .insertInto('recovery_code')
    .values(digests.map((code_hash) => ({ account_id: person.accountId, person_id: person.personId, code_hash, salt })))
    .execute();
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

export async function recoveryCodesLeft(tx: Tx, person: PersonKey): Promise<number> {
  const { count } = await tables<IdentityTables>(tx)
    .selectFrom('recovery_code')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function stepOf(tx: Tx, keys: AccountKeys, person: PersonKey, sealed: Buffer, code: string, now: Date) {
  const opened = (await keys.of(tx, person.accountId)).open(sealed, context(person));
  const secret = new Secret({ buffer: Uint8Array.from(opened).buffer });
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token: code, secret, period, digits, window, timestamp });
  return delta === null ? null : TOTP.counter({ period, timestamp }) + delta;
}

type TotpColumns = Pick<
  IdentityTables['person'],
  'totp_sealed' | 'totp_pending_sealed' | 'totp_enabled_at' | 'totp_last_step'
>;

async function change(tx: Tx, person: PersonKey, columns: Partial<TotpColumns>): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set(columns)
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .execute();
}

async function forgetRecoveryCodes(tx: Tx, person: PersonKey): Promise<void> {
  await tables<IdentityTables>(tx)
    .deleteFrom('recovery_code')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .execute();
}
