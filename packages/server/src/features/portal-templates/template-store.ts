import { sql } from 'kysely';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { Draft, PortalContent, Secrets, Stored } from './content.ts';

interface TemplateTables {
  portal_template: {
    account_id: string;
    id: string;
    name: string;
    draft: Stored;
    sealed: Buffer | null;
    client_secrets: Buffer | null;
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
    client_secrets: Buffer | null;
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

type Sealed = Pick<Template, 'sealed' | 'client_secrets'>;

async function seal(tx: Tx, keys: AccountKeys, accountId: string, draft: Draft, context: string): Promise<Sealed> {
  const { password, ...clients } = draft.secrets;
  const key = await keys.of(tx, accountId);
  const isEmpty = Object.keys(clients).length === 0;
  return {
    sealed: password === undefined ? null : key.seal(password, context),
    client_secrets: isEmpty ? null : key.seal(JSON.stringify(clients), `${context} clients`),
  };
}

async function open(tx: Tx, keys: AccountKeys, accountId: string, row: Sealed, context: string): Promise<Secrets> {
  const key = await keys.of(tx, accountId);
  const { sealed, client_secrets: clients } = row;
  const secrets: Secrets = clients === null ? {} : JSON.parse(key.open(clients, `${context} clients`).toString());
  return sealed === null ? secrets : { ...secrets, password: key.open(sealed, context).toString() };
}

export function templatesOf(tx: Tx, accountId: string): Promise<Template[]> {
  return db(tx).selectFrom('portal_template').selectAll().where('account_id', '=', accountId).execute();
}

/** Without secrets. */
export async function publishedContents(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<{ id: string; content: Stored }[]> {
  if (ids.length === 0) return [];
  return db(tx)
    .selectFrom('portal_template as t')
    .innerJoin('portal_template_version as v', (join) =>
      join
        .onRef('v.account_id', '=', 't.account_id')
        .onRef('v.template_id', '=', 't.id')
        .onRef('v.version', '=', 't.published_version'),
    )
    .select(['t.id', 'v.content'])
    .where('t.account_id', '=', accountId)
    .where('t.id', 'in', [...ids])
    .execute();
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

/** False: the name is taken. */
export async function insertTemplate(
  tx: Tx,
  keys: AccountKeys,
  { draft, ...row }: Omit<Template, 'draft' | keyof Sealed> & { draft: Draft },
): Promise<boolean> {
  const made = await db(tx)
    .insertInto('portal_template')
    .values({
      ...row,
      draft: JSON.stringify(draft.content) as never,
      ...(await seal(tx, keys, row.account_id, draft, draftContext(row.id))),
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
      ...(await seal(tx, keys, account_id, draft, draftContext(id))),
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export async function draftOf(tx: Tx, keys: AccountKeys, template: Template): Promise<Draft> {
  const { account_id, id, draft } = template;
  return { content: draft, secrets: await open(tx, keys, account_id, template, draftContext(id)) };
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
      ...row,
      account_id,
      template_id: id,
      content: JSON.stringify(draft.content) as never,
      ...(await seal(tx, keys, account_id, draft, versionContext(id, row.version))),
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
  const secrets = await open(tx, keys, account_id, row, versionContext(id, version));
  return { content: row.content, secrets } satisfies Draft;
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

/** A template as one of its networks shows it. */
export interface TemplateUse {
  templateId: string;
  gwid: string;
}

export interface PublishedRow extends TemplateUse {
  accountId: string;
  name: string;
  version: number;
  /** A rolled back transaction may have had the version with other content. */
  stamp: string;
  own: PortalContent['page'] | null;
}

/** Uses the transaction's account; leaves out templates without a published version. */
export async function publishedFor(tx: Tx, uses: readonly TemplateUse[]): Promise<PublishedRow[]> {
  const { rows } = await sql<PublishedRow>`
    select t.id as "templateId", u.gwid, t.account_id as "accountId", t.name, v.version, v.xmin::text as stamp,
      s.page as own
    from unnest(${uses.map(({ templateId }) => templateId)}::uuid[], ${uses.map(({ gwid }) => gwid)}::uuid[]) u (id, gwid)
      join portal_template t on t.id = u.id
      join portal_template_version v
        on v.account_id = t.account_id and v.template_id = t.id and v.version = t.published_version
      left join portal_site_page s on s.account_id = t.account_id and s.gwid = u.gwid and s.template_id = t.id`.execute(
    tx,
  );
  return rows;
}

export async function knownTemplates(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db(tx).selectFrom('portal_template').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}
