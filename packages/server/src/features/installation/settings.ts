import { sql } from 'kysely';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { type Database, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { people } from '../identity/index.ts';

interface InstallationTables {
  installation: { key: string; value: unknown };
}

export async function readSetting<T>(tx: Tx | Database['system'], key: string): Promise<T | undefined> {
  const row = await tables<InstallationTables>(tx)
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value as T | undefined;
}

/** Until the transaction ends: a save keeps the fields that it does not name. */
export async function lockSetting(tx: Tx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`installation ${key}`}, 0))`.execute(tx);
}

export async function writeSetting(tx: Tx, key: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await tables<InstallationTables>(tx)
    .insertInto('installation')
    .values({ key, value: json })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json }))
    .execute();
}

/** Returns true until the administrator closes it. */
export async function registrationOpen(tx: Tx): Promise<boolean> {
  return (await readSetting<boolean>(tx, 'registration_open')) ?? true;
}

export async function hasAdministrator(tx: Tx): Promise<boolean> {
  return (await people.administrators(tx)).length > 0;
}

/** Returns a one-time token, or null when there is an administrator. */
export function newSetupToken(database: Database): Promise<string | null> {
  return database.withSystem(async (tx) => {
    if (await hasAdministrator(tx)) return null;
    const { token, hash } = newToken();
    await writeSetting(tx, 'setup_token', hash.toString('hex'));
    return token;
  });
}

/** @throws Failure tokenUsed if there is an administrator; tokenExpired for any but the latest */
export async function claim(tx: Tx, token: string, person: { accountId: string; personId: string }): Promise<void> {
  // the token's row serializes claims
  const row = await tables<InstallationTables>(tx)
    .selectFrom('installation')
    .select('value')
    .where('key', '=', 'setup_token')
    .forUpdate()
    .executeTakeFirst();
  if (await hasAdministrator(tx)) throw new Failure('tokenUsed');
  if (row?.value !== tokenHash(token).toString('hex')) throw new Failure('tokenExpired');
  await people.makeAdministrator(tx, person);
  await tables<InstallationTables>(tx).deleteFrom('installation').where('key', '=', 'setup_token').execute();
}
