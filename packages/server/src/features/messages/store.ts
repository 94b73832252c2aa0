import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import { containing, hasMac, macContaining } from '../../platform/search/index.ts';

export interface MessageRecord {
  account_id: string;
  id: string;
  type: string;
  template: string;
  params: unknown;
  link: string | null;
  gwid: string | null;
  person_id: string | null;
  created_at: Date;
}

interface MessageTables {
  message: MessageRecord;
  message_mark: {
    account_id: string;
    message_id: string;
    person_id: string;
    read_at: Date | null;
    deleted_at: Date | null;
  };
}

export interface Inbox {
  accountId: string;
  personId: string;
}

export interface MessageFilter {
  type?: string | undefined;
  unread?: boolean | undefined;
  keyword?: string | undefined;
  keyword_templates?: string[] | undefined;
}

export type InboxMessage = Pick<MessageRecord, 'id' | 'type' | 'template' | 'params' | 'link' | 'created_at'> & {
  is_read: boolean;
};

export async function insertMessage(tx: Tx, message: MessageRecord): Promise<void> {
  await tables<MessageTables>(tx)
    .insertInto('message')
    .values({ ...message, params: JSON.stringify(message.params) })
    .execute();
}

/** Selects messages to all or to this person. */
function forPerson(tx: Tx, { accountId, personId }: Inbox) {
  return tables<MessageTables>(tx)
    .selectFrom('message as m')
    .leftJoin('message_mark as k', (join) =>
      join
        .onRef('k.account_id', '=', 'm.account_id')
        .onRef('k.message_id', '=', 'm.id')
        .on('k.person_id', '=', personId),
    )
    .where('m.account_id', '=', accountId)
    .where((where) => where.or([where('m.person_id', 'is', null), where('m.person_id', '=', personId)]));
}

/** Excludes messages that this person deleted. */
function inInbox(tx: Tx, inbox: Inbox) {
  return forPerson(tx, inbox).where('k.deleted_at', 'is', null);
}

function filtered(tx: Tx, inbox: Inbox, { type, unread, keyword, keyword_templates: templates = [] }: MessageFilter) {
  let query = inInbox(tx, inbox);
  if (type) query = query.where('m.type', '=', type);
  if (unread !== undefined) query = query.where('k.read_at', unread ? 'is' : 'is not', null);
  if (keyword) {
    const pattern = containing(keyword);
    const mac = macContaining(keyword);
    const byMac = mac ? sql` or ${hasMac('v.value', mac)}` : sql``;
    const inValues = sql<boolean>`exists (
      select from jsonb_each_text(m.params) as v where v.value ilike ${pattern}${byMac})`;
    query = query.where((where) =>
      where.or([inValues, ...(templates.length > 0 ? [where('m.template', 'in', templates)] : [])]),
    );
  }
  return query;
}

function shown(query: ReturnType<typeof inInbox>) {
  return query
    .select(['m.id', 'm.type', 'm.template', 'm.params', 'm.link', 'm.created_at'])
    .select(sql<boolean>`k.read_at is not null`.as('is_read'));
}

export async function listMessages(
  tx: Tx,
  inbox: Inbox,
  filter: MessageFilter,
  page: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: InboxMessage[]; total: number }> {
  const query = filtered(tx, inbox, filter);
  const direction = page.descending ? 'desc' : 'asc';
  const rows = await shown(query)
    .orderBy('m.created_at', direction)
    .orderBy('m.id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

export function findMessage(tx: Tx, inbox: Inbox, id: string): Promise<InboxMessage | undefined> {
  return shown(inInbox(tx, inbox).where('m.id', '=', id)).executeTakeFirst();
}

export async function neighbours(
  tx: Tx,
  inbox: Inbox,
  id: string,
): Promise<{ newer: string | null; older: string | null }> {
  const next = async (sign: '<' | '>') => {
    const found = await inInbox(tx, inbox)
      .select('m.id')
      .where(
        sql<boolean>`(m.created_at, m.id) ${sql.raw(sign)}
          (select o.created_at, o.id from message as o where o.account_id = ${inbox.accountId} and o.id = ${id})`,
      )
      .orderBy('m.created_at', sign === '<' ? 'desc' : 'asc')
      .orderBy('m.id', sign === '<' ? 'desc' : 'asc')
      .limit(1)
      .executeTakeFirst();
    return found?.id ?? null;
  };
  return { newer: await next('>'), older: await next('<') };
}

export async function countUnread(tx: Tx, inbox: Inbox): Promise<number> {
  const { unread } = await inInbox(tx, inbox)
    .where('k.read_at', 'is', null)
    .select((select) => select.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow();
  return unread;
}

export async function unreadIds(tx: Tx, inbox: Inbox, type?: string): Promise<string[]> {
  let query = inInbox(tx, inbox).select('m.id').where('k.read_at', 'is', null);
  if (type) query = query.where('m.type', '=', type);
  return (await query.execute()).map((row) => row.id);
}

export function ownMessages(
  tx: Tx,
  inbox: Inbox,
  ids: readonly string[],
): Promise<{ id: string; deleted_at: Date | null }[]> {
  return forPerson(tx, inbox).select(['m.id', 'k.deleted_at']).where('m.id', 'in', ids).execute();
}

export async function mark(
  tx: Tx,
  { accountId, personId }: Inbox,
  ids: readonly string[],
  what: 'read_at' | 'deleted_at',
  at: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into message_mark (account_id, message_id, person_id, ${sql.ref(what)})
    select ${accountId}, id, ${personId}, ${at} from unnest(${ids}::uuid[]) as id
    on conflict (account_id, message_id, person_id)
      do update set ${sql.ref(what)} = coalesce(message_mark.${sql.ref(what)}, excluded.${sql.ref(what)})`.execute(tx);
}

export async function knownMessages(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables<MessageTables>(tx).selectFrom('message').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

/** Deletes at most `limit`. @returns how many */
export async function deleteBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from message where (account_id, id) in (
      select account_id, id from message where created_at < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
