import type { Actor, Locale } from '@yunxun/contract';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { record } from '../logs/audit.ts';
import { maskLogin } from './mask.ts';
import { newReadable, readTyped } from './readable.ts';
import type { IdentityTables } from './tables.ts';

/** A new binding code: ten characters, 50 bits. */
const newBindingCode = () => newReadable(10);

export interface NewAccount {
  kind: 'email' | 'mobile';
  value: string;
  passwordHash: string;
  locale: Locale;
  ip: string;
}

/**
 * Makes an account with its owner.
 * @throws Failure loginNameTaken
 */
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
  await db.insertInto('binding_directory').values({ code, account_id: accountId }).execute();
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

/**
 * What an account is called until somebody gives it a name. Others read it, and it stays when its owner's mobile is another
 * one, so a mobile is told apart by it but not written out; asterisks are no characters of a name.
 */
function defaultName({ kind, value }: Pick<NewAccount, 'kind' | 'value'>): string {
  return kind === 'mobile' ? maskLogin(value).replaceAll('*', '\u2022') : value;
}

/** The owner of an account at work in it, by no session: registering, or setting a new password. */
export function actorOf(accountId: string, userId: string, name: string): Actor {
  return {
    accountId,
    userId,
    name,
    homeAccountId: accountId,
    role: 'owner',
    roleGwids: null,
    grant: null,
    token: null,
    viewing: false,
    installationAdmin: false,
  };
}

/** Who signs in with an e-mail or mobile; undefined when nobody does. */
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

/** The account a binding code belongs to; undefined for a code that nobody has. */
export async function accountOfBindingCode(tx: Tx, code: string): Promise<string | undefined> {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('binding_directory')
    .select('account_id')
    .where('code', '=', readTyped(code))
    .executeTakeFirst();
  return row?.account_id;
}

/** Gives the account another binding code; the old one stops working with the commit. */
export async function replaceBindingCode(tx: Tx, accountId: string): Promise<string> {
  const db = tables<IdentityTables>(tx);
  const code = newBindingCode();
  await db.deleteFrom('binding_directory').where('account_id', '=', accountId).execute();
  await db.insertInto('binding_directory').values({ code, account_id: accountId }).execute();
  await db.updateTable('account').set({ binding_code: code }).where('account_id', '=', accountId).execute();
  return code;
}

/** The whole row of an account. */
export function accountOf(tx: Tx, accountId: string) {
  return tables<IdentityTables>(tx)
    .selectFrom('account')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Every account with the zone of its calendar. System role. */
export async function accountZones(tx: Tx): Promise<{ accountId: string; zone: string }[]> {
  return tables<IdentityTables>(tx)
    .selectFrom('account')
    .select(['account_id as accountId', 'time_zone as zone'])
    .execute();
}

/** Gives an account another name, or time zone. */
export async function changeAccount(
  tx: Tx,
  accountId: string,
  change: { name: string; time_zone: string },
): Promise<void> {
  await tables<IdentityTables>(tx).updateTable('account').set(change).where('account_id', '=', accountId).execute();
}
