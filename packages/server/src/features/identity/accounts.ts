import { type Actor, type Locale, rolePermissions } from '@yunxun/contract';
import { sql } from 'kysely';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { maskLogin } from '../../platform/mask-login.ts';
import { record } from '../logs/index.ts';
import { newReadable, readTyped } from './readable.ts';
import type { IdentityTables } from './tables.ts';

/** Returns ten characters, 50 bits. */
const newBindingCode = () => newReadable(10);

export interface NewAccount {
  kind: 'email' | 'mobile';
  value: string;
  passwordHash: string;
  locale: Locale;
  ip: string;
}

export async function createAccount(tx: Tx, given: NewAccount): Promise<{ accountId: string; personId: string }> {
  const db = tables<IdentityTables>(tx);
  const accountId = newId();
  const personId = newId();
  const code = newBindingCode();
  const name = defaultName(given);
  await db.insertInto('account').values({ account_id: accountId, name, binding_code: code }).execute();
  await db
    .insertInto('person')
    .values({
      account_id: accountId,
      id: personId,
      email: given.kind === 'email' ? given.value : null,
      mobile: given.kind === 'mobile' ? given.value : null,
      password_hash: given.passwordHash,
      password_changed_at: new Date(),
      locale: given.locale,
    })
    .execute();
  await db
    .insertInto('member')
    .values({ account_id: accountId, person_id: personId, person_account_id: accountId, role: 'owner' })
    .execute();
  const taken = await db
    .insertInto('login_directory')
    .values({ kind: given.kind, value: given.value, account_id: accountId, person_id: personId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 0n) throw new Failure('loginNameTaken');
  await db.insertInto('binding_directory').values({ code, account_id: accountId, code_id: null }).execute();
  const acting = { accountId, userId: personId, actor: null, source: 'web' as const, ip: given.ip };
  await record(
    tx,
    { ...acting, actor: actorOf(accountId, personId, given.value) },
    {
      action: 'account.register',
      object: { type: 'account', id: accountId, name },
      after: { [given.kind]: given.value },
    },
  );
  return { accountId, personId };
}

/** Masks a mobile: others see the default name, and it outlives a change. Names have no asterisks. */
function defaultName({ kind, value }: Pick<NewAccount, 'kind' | 'value'>): string {
  return kind === 'mobile' ? maskLogin(value).replaceAll('*', '\u2022') : value;
}

/** Without a session, for registration and reset. */
export function actorOf(accountId: string, userId: string, name: string): Actor {
  return {
    accountId,
    userId,
    name,
    homeAccountId: accountId,
    role: 'owner',
    rolePermissions: rolePermissions.owner,
    roleGwids: null,
    delegation: null,
    token: null,
    viewing: false,
    installationAdmin: false,
  };
}

export async function findPerson(tx: Tx, kind: 'email' | 'mobile', value: string) {
  return tables<IdentityTables>(tx)
    .selectFrom('login_directory as login')
    .innerJoin('person', (join) =>
      join.onRef('person.account_id', '=', 'login.account_id').onRef('person.id', '=', 'login.person_id'),
    )
    .select(['person.account_id as accountId', 'person.id as personId', 'person.password_hash as passwordHash'])
    .where('login.kind', '=', kind)
    .where('login.value', '=', value)
    .executeTakeFirst();
}

export interface BindingCode {
  accountId: string;
  codeId: string | null;
}

/** Returns undefined if unknown; `codeId` null: the account's own. */
export async function findBindingCode(tx: Tx, code: string): Promise<BindingCode | undefined> {
  return tables<IdentityTables>(tx)
    .selectFrom('binding_directory')
    .select(['account_id as accountId', 'code_id as codeId'])
    .where('code', '=', readTyped(code))
    .executeTakeFirst();
}

export async function replaceBindingCode(tx: Tx, accountId: string): Promise<string> {
  const db = tables<IdentityTables>(tx);
  await removeBindingCode(tx, { accountId, codeId: null });
  const code = await addBindingCode(tx, { accountId, codeId: null });
  await db.updateTable('account').set({ binding_code: code }).where('account_id', '=', accountId).execute();
  return code;
}

/** Requires the system role. */
export async function addBindingCode(tx: Tx, { accountId, codeId }: BindingCode): Promise<string> {
  const code = newBindingCode();
  await tables<IdentityTables>(tx)
    .insertInto('binding_directory')
    .values({ code, account_id: accountId, code_id: codeId })
    .execute();
  return code;
}

/** Requires the system role. */
export async function removeBindingCode(tx: Tx, { accountId, codeId }: BindingCode): Promise<void> {
  await tables<IdentityTables>(tx)
    .deleteFrom('binding_directory')
    .where('account_id', '=', accountId)
    .where('code_id', codeId === null ? 'is' : '=', codeId)
    .execute();
}

export function accountOf(tx: Tx, accountId: string) {
  return tables<IdentityTables>(tx)
    .selectFrom('account')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Requires the system role. */
export async function accountZones(tx: Tx): Promise<{ accountId: string; zone: string }[]> {
  return tables<IdentityTables>(tx)
    .selectFrom('account')
    .select(['account_id as accountId', 'time_zone as zone'])
    .execute();
}

/** Requires the system role for several. */
export async function openAccounts(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { name: string; zone: string }>> {
  const rows = await tables<IdentityTables>(tx)
    .selectFrom('account')
    .select(['account_id as id', 'name', 'time_zone as zone'])
    .where(sql<boolean>`account_id = any(${[...ids]}::uuid[])`)
    .where('locked_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, ...account }) => [id, account]));
}

export async function changeAccount(
  tx: Tx,
  accountId: string,
  change: { name: string; time_zone: string; time_zone_from?: string; trust_sites?: boolean },
): Promise<void> {
  await tables<IdentityTables>(tx).updateTable('account').set(change).where('account_id', '=', accountId).execute();
}
