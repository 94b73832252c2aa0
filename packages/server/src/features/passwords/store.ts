import type { passwords } from '@yunxun/contract';
import { sql } from 'kysely';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { type Tx, tables } from '../../platform/database/index.ts';

interface PasswordTables {
  password_rule: {
    account_id: string;
    id: string;
    name: string;
    ssid: string;
    gwids: string[];
    rule: passwords.PasswordPlan;
    paused: boolean;
    next_at: Date | null;
    created_at: Date;
    updated_at: Date;
    updated_by: string;
  };
  password_key: {
    account_id: string;
    rule_id: string;
    seq: number;
    sealed: Buffer;
    valid_from: Date;
    valid_to: Date | null;
    job_id: string | null;
    cause: string;
    made_by: string;
  };
}
export type Rule = PasswordTables['password_rule'];
export type Key = PasswordTables['password_key'];

const db = (tx: Tx) => tables<PasswordTables>(tx);
const sealContext = (rule: string, seq: number) => `wifi password ${rule} ${seq}`;

export function rulesOf(tx: Tx, accountId: string): Promise<Rule[]> {
  return db(tx).selectFrom('password_rule').selectAll().where('account_id', '=', accountId).orderBy('name').execute();
}

/** `lock`: until the end of the transaction. */
export function findRule(tx: Tx, accountId: string, id: string, lock = false): Promise<Rule | undefined> {
  const query = db(tx).selectFrom('password_rule').selectAll().where('account_id', '=', accountId).where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export async function insertRule(tx: Tx, rule: Rule): Promise<void> {
  await db(tx)
    .insertInto('password_rule')
    .values({ ...rule, rule: JSON.stringify(rule.rule) as never })
    .execute();
}

export async function updateRule(
  tx: Tx,
  { account_id, id }: Pick<Rule, 'account_id' | 'id'>,
  change: Partial<Pick<Rule, 'name' | 'rule' | 'paused' | 'next_at' | 'updated_at' | 'updated_by'>>,
): Promise<void> {
  await db(tx)
    .updateTable('password_rule')
    .set(change.rule ? { ...change, rule: JSON.stringify(change.rule) as never } : change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteRule(tx: Tx, accountId: string, id: string): Promise<void> {
  await db(tx).deleteFrom('password_rule').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/** Searches all accounts; needs the system role. */
export async function dueRules(tx: Tx, now: Date): Promise<{ accountId: string; id: string }[]> {
  const { rows } = await sql<{ accountId: string; id: string }>`
    select account_id as "accountId", id from password_rule where not paused and next_at <= ${now} order by next_at limit 500
  `.execute(tx);
  return rows;
}

export async function insertKey(
  tx: Tx,
  keys: AccountKeys,
  key: Omit<Key, 'seq' | 'sealed' | 'valid_to'> & { password: string },
): Promise<void> {
  const { password, ...row } = key;
  const newest = await newestKey(tx, key.account_id, key.rule_id);
  const seq = (newest?.seq ?? 0) + 1;
  await db(tx)
    .updateTable('password_key')
    .set({ valid_to: key.valid_from })
    .where('account_id', '=', key.account_id)
    .where('rule_id', '=', key.rule_id)
    .where('valid_to', 'is', null)
    .execute();
  const sealed = (await keys.of(tx, key.account_id)).seal(password, sealContext(key.rule_id, seq));
  await db(tx)
    .insertInto('password_key')
    .values({ ...row, seq, sealed, valid_to: null })
    .execute();
}

function newestKey(tx: Tx, accountId: string, ruleId: string): Promise<Key | undefined> {
  return db(tx)
    .selectFrom('password_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('rule_id', '=', ruleId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export function keysOfRule(tx: Tx, accountId: string, ruleId: string): Promise<Key[]> {
  return db(tx)
    .selectFrom('password_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('rule_id', '=', ruleId)
    .orderBy('seq', 'desc')
    .execute();
}

export function keysInForce(tx: Tx, accountId: string): Promise<Key[]> {
  return db(tx)
    .selectFrom('password_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('valid_to', 'is', null)
    .execute();
}

export async function openKey(tx: Tx, keys: AccountKeys, key: Key): Promise<string> {
  const sealer = await keys.of(tx, key.account_id);
  return sealer.open(key.sealed, sealContext(key.rule_id, key.seq)).toString('utf8');
}

export async function knownRules(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db(tx)
    .selectFrom('password_rule')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
