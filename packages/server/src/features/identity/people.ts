import type { Density, HomeLayout, HomeSection, Locale, PageSize, Theme } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { IdentityTables } from './tables.ts';
import { forgetTickets } from './tickets.ts';

const rowOf = (tx: Tx, person: PersonKey) =>
  tables<IdentityTables>(tx)
    .selectFrom('person')
    .selectAll()
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId);

export function personOf(tx: Tx, person: PersonKey) {
  return rowOf(tx, person).executeTakeFirstOrThrow();
}

/** Serialises changes of a person. */
export function lockPerson(tx: Tx, person: PersonKey) {
  return rowOf(tx, person).forUpdate().executeTakeFirstOrThrow();
}

export function requireBelowLimit(used: number, limit: number): void {
  if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
}

export interface Personalization {
  theme: Theme;
  home_section: HomeSection;
  home_layout: HomeLayout;
  language: Locale;
  density: Density;
  /** Null: the account's. */
  time_zone: string | null;
  page_size: PageSize;
}

export async function personalization(tx: Tx, person: PersonKey): Promise<Personalization> {
  const { theme, home_section, home_layout, locale, density, time_zone, page_size } = await personOf(tx, person);
  return { theme, home_section, home_layout, language: locale, density, time_zone, page_size };
}

/** Copies named fields only. */
export async function savePersonalization(
  tx: Tx,
  person: PersonKey,
  { theme, home_section, home_layout, language, density, time_zone, page_size }: Partial<Loose<Personalization>>,
): Promise<void> {
  const change = {
    ...(theme && { theme }),
    ...(home_section && { home_section }),
    ...(home_layout !== undefined && { home_layout }),
    ...(language && { locale: language }),
    ...(density && { density }),
    ...(time_zone !== undefined && { time_zone }),
    ...(page_size && { page_size }),
  };
  if (Object.keys(change).length === 0) return;
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set(change)
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .execute();
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };

export async function administrators(tx: Tx): Promise<string[]> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('person')
    .select(['email', 'mobile', 'id'])
    .where('administers', '=', true)
    .execute();
  return rows.map((row) => row.email ?? row.mobile ?? row.id);
}

/** System role. */
export async function administratorsOf(tx: Tx, adminEmail: string | null): Promise<PersonKey[]> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('person')
    .select(['account_id as accountId', 'id as personId'])
    .where((where) => where.or([where('administers', '=', true), where('email', '=', adminEmail?.toLowerCase() ?? '')]))
    .execute();
  return rows;
}

/** Returns home accounts. System role. */
export async function administratorAccounts(tx: Tx): Promise<string[]> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('person')
    .select('account_id')
    .distinct()
    .where('administers', '=', true)
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}

export async function makeAdministrator(tx: Tx, person: PersonKey): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set({ administers: true })
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .execute();
}

/** Returns the person's IANA zone, else the account's. */
export async function timeZoneOf(tx: Tx, person: PersonKey, accountId: string): Promise<string> {
  const db = tables<IdentityTables>(tx);
  const own = await db
    .selectFrom('person')
    .select('time_zone')
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .executeTakeFirst();
  if (own?.time_zone) return own.time_zone;
  const account = await db
    .selectFrom('account')
    .select('time_zone')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return account.time_zone;
}

export async function saveSelf(tx: Tx, person: PersonKey, change: { qq?: string; name?: string }): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set(change)
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .execute();
}

/** Voids pending reset links and second steps. */
export async function setPassword(tx: Tx, person: PersonKey, passwordHash: string, now: Date): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set({ password_hash: passwordHash, password_changed_at: now })
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .execute();
  await forgetResets(tx, person);
  await forgetTickets(tx, person);
}

export async function setWithdrawalPassword(tx: Tx, person: PersonKey, withdrawalHash: string): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set({ withdrawal_hash: withdrawalHash })
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .execute();
}

/**
 * Voids reset links of the old login.
 * @throws Failure loginNameTaken, also for the own login
 */
export async function bindLogin(tx: Tx, person: PersonKey, kind: 'email' | 'mobile', value: string): Promise<void> {
  const db = tables<IdentityTables>(tx);
  const taken = await db
    .insertInto('login_directory')
    .values({ kind, value, account_id: person.accountId, person_id: person.personId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) throw new Failure('loginNameTaken');
  await db
    .deleteFrom('login_directory')
    .where('kind', '=', kind)
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('value', '<>', value)
    .execute();
  await db
    .updateTable('person')
    .set({ [kind]: value })
    .where('account_id', '=', person.accountId)
    .where('id', '=', person.personId)
    .execute();
  await forgetResets(tx, person);
}

async function forgetResets(tx: Tx, person: PersonKey): Promise<void> {
  await tables<IdentityTables>(tx)
    .deleteFrom('password_reset')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('used_at', 'is', null)
    .execute();
}
