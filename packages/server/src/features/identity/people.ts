import type { Density, HomeSection, Locale, PageSize, Theme } from '@yunxun/contract';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { IdentityTables } from './tables.ts';

/** A person by the own account's id and the person's. */
export interface PersonKey {
  accountId: string;
  personId: string;
}

/** The whole row of a person. */
export function personOf(tx: Tx, who: PersonKey) {
  return tables<IdentityTables>(tx)
    .selectFrom('person')
    .selectAll()
    .where('account_id', '=', who.accountId)
    .where('id', '=', who.personId)
    .executeTakeFirstOrThrow();
}

/** How a person wants the console. */
export interface Personalization {
  theme: Theme;
  home_section: HomeSection;
  language: Locale;
  density: Density;
  /** Null: the account's. */
  time_zone: string | null;
  page_size: PageSize;
}

/** How the person wants the console. */
export async function personalization(tx: Tx, who: PersonKey): Promise<Personalization> {
  const { theme, home_section, locale, density, time_zone, page_size } = await personOf(tx, who);
  return { theme, home_section, language: locale, density, time_zone, page_size };
}

/** Saves the parts that are given. Named one by one: the input may hold more than the contract knows. */
export async function savePersonalization(
  tx: Tx,
  who: PersonKey,
  { theme, home_section, language, density, time_zone, page_size }: Partial<Loose<Personalization>>,
): Promise<void> {
  const change = {
    ...(theme && { theme }),
    ...(home_section && { home_section }),
    ...(language && { locale: language }),
    ...(density && { density }),
    ...(time_zone !== undefined && { time_zone }),
    ...(page_size && { page_size }),
  };
  if (Object.keys(change).length === 0) return;
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set(change)
    .where('account_id', '=', who.accountId)
    .where('id', '=', who.personId)
    .execute();
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };

/** The logins of those who administer the installation. */
export async function administrators(tx: Tx): Promise<string[]> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('person')
    .select(['email', 'mobile', 'id'])
    .where('administers', '=', true)
    .execute();
  return rows.map((row) => row.email ?? row.mobile ?? row.id);
}

/** Lets a person administer the installation. */
export async function makeAdministrator(tx: Tx, who: PersonKey): Promise<void> {
  await tables<IdentityTables>(tx)
    .updateTable('person')
    .set({ administers: true })
    .where('account_id', '=', who.accountId)
    .where('id', '=', who.personId)
    .execute();
}
