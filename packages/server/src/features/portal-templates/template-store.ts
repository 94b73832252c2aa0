import { sql } from 'kysely';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { Draft, Stored } from './content.ts';

interface TemplateTables {
  portal_template: {
    account_id: string;
    id: string;
    name: string;
    draft: Stored;
    sealed: Buffer | null;
    revision: number;
    published_version: number | null;
    changed: boolean;
    updated_at: Date;
    updated_by: string;
  };
  portal_template_version: {
    account_id: string;
    template_id: string;
    version: number;
    content: Stored;
    sealed: Buffer | null;
    at: Date;
    by: string;
  };
}
export type Template = TemplateTables['portal_template'];
export type Version = TemplateTables['portal_template_version'];
type Key = Pick<Template, 'account_id' | 'id'>;

const db = (tx: Tx) => tables<TemplateTables>(tx);
const draftContext = (id: string) => `portal template ${id} draft`;
const versionContext = (id: string, version: number) => `portal template ${id} version ${version}`;

const sealed = async (tx: Tx, keys: AccountKeys, accountId: string, text: string | null, context: string) =>
  text === null ? null : (await keys.of(tx, accountId)).seal(text, context);
const opened = async (tx: Tx, keys: AccountKeys, accountId: string, value: Buffer | null, context: string) =>
  value === null ? null : (await keys.of(tx, accountId)).open(value, context).toString();

export function templatesOf(tx: Tx, accountId: string): Promise<Template[]> {
  return db(tx).selectFrom('portal_template').selectAll().where('account_id', '=', accountId).execute();
}

/** `lock`: until the end of the transaction. */
export function findTemplate(tx: Tx, accountId: string, id: string, lock = false): Promise<Template | undefined> {
  const query = db(tx)
    .selectFrom('portal_template')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Returns false if the name is taken. */
export async function insertTemplate(
  tx: Tx,
  keys: AccountKeys,
  { draft, ...row }: Omit<Template, 'draft' | 'sealed'> & { draft: Draft },
): Promise<boolean> {
  const made = await db(tx)
    .insertInto('portal_template')
    .values({
      ...row,
      draft: JSON.stringify(draft.content) as never,
      sealed: await sealed(tx, keys, row.account_id, draft.password, draftContext(row.id)),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Checks other templates of the account. */
export async function isNameTaken(tx: Tx, { account_id, id }: Key, name: string): Promise<boolean> {
  const row = await db(tx)
    .selectFrom('portal_template')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '<>', id)
    .where(sql<string>`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateDraft(
  tx: Tx,
  keys: AccountKeys,
  { account_id, id }: Key,
  {
    draft,
    ...change
  }: Pick<Template, 'name' | 'revision' | 'changed' | 'updated_at' | 'updated_by'> & {
    draft: Draft;
  },
): Promise<void> {
  await db(tx)
    .updateTable('portal_template')
    .set({
      ...change,
      draft: JSON.stringify(draft.content) as never,
      sealed: await sealed(tx, keys, account_id, draft.password, draftContext(id)),
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export async function draftOf(tx: Tx, keys: AccountKeys, template: Template): Promise<Draft> {
  const { account_id, id, draft, sealed: value } = template;
  return { content: draft, password: await opened(tx, keys, account_id, value, draftContext(id)) };
}

export async function insertVersion(
  tx: Tx,
  keys: AccountKeys,
  template: Key,
  { draft, ...row }: Pick<Version, 'version' | 'at' | 'by'> & { draft: Draft },
): Promise<void> {
  const { account_id, id } = template;
  await db(tx)
    .insertInto('portal_template_version')
    .values({
      ...{ ...row, account_id, template_id: id },
      content: JSON.stringify(draft.content) as never,
      sealed: await sealed(tx, keys, account_id, draft.password, versionContext(id, row.version)),
    })
    .execute();
  await db(tx)
    .updateTable('portal_template')
    .set({ published_version: row.version, changed: false, updated_at: row.at, updated_by: row.by })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export async function versionOf(tx: Tx, keys: AccountKeys, { account_id, id }: Key, version: number) {
  const row = await db(tx)
    .selectFrom('portal_template_version')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('template_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (!row) return undefined;
  const password = await opened(tx, keys, account_id, row.sealed, versionContext(id, version));
  return { content: row.content, password } satisfies Draft;
}

/** Newest first. */
export function versionsOf(tx: Tx, accountId: string, id: string): Promise<Pick<Version, 'version' | 'at' | 'by'>[]> {
  return db(tx)
    .selectFrom('portal_template_version')
    .select(['version', 'at', 'by'])
    .where('account_id', '=', accountId)
    .where('template_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
}

export async function deleteTemplate(tx: Tx, accountId: string, id: string): Promise<void> {
  await db(tx).deleteFrom('portal_template').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export function anyTemplate(tx: Tx, id: string): Promise<Template | undefined> {
  return db(tx).selectFrom('portal_template').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function knownTemplates(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db(tx).selectFrom('portal_template').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}
