import type { alarmNotices as contract, DataOf, InputOf, Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { all, pageOf } from '../../../platform/database/paging.ts';
import { grouped } from '../../../platform/grouped.ts';
import { reasonOf } from '../../../platform/outbox/index.ts';
import { itemText } from './compose.ts';
import { type DeliveryTable, notifyTables } from './tables.ts';

/** Attempts that a message shows. */
const maxAttempts = 20;

type Row = Omit<DeliveryTable, 'attempts'>;
type Attempt = { delivery_id: string; at: Date; error: string | null };

/** Omits other alarms if one, which the caller sees, is named. */
export async function listNotices(
  tx: Tx,
  acting: Acting,
  input: InputOf<typeof contract.noticeList>,
  locale: Locale,
): Promise<DataOf<typeof contract.noticeList>> {
  const { accountId } = acting;
  const { alarm_id: alarmId } = input;
  if (alarmId === undefined) requireWholeAccount(acting, 'message.read');
  const page = pageOf(input);
  const where = [sql`d.account_id = ${accountId}`];
  if (input.subscription_id) where.push(sql`d.subscription_id = ${input.subscription_id}`);
  if (input.batch_id) where.push(sql`d.batch_id = ${input.batch_id}`);
  if (input.state) where.push(sql`d.state = ${input.state}`);
  if (alarmId)
    where.push(sql`d.content->'items' @> ${JSON.stringify([{ alarm_id: alarmId }])}::jsonb and d.batch_id in (
      select n.batch_id from alarm_notice n where n.account_id = ${accountId} and n.alarm_id = ${alarmId})`);
  const from = sql`from alarm_delivery d where ${all(where)}`;
  const direction = sql.raw(input.order === 'asc' ? 'asc' : 'desc');
  const { rows } = await sql<Row>`
    select d.* ${from} order by d.created_at ${direction}, d.id ${direction} limit ${page.limit} offset ${page.offset}
  `.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(tx);
  const attempts = await attemptsOf(tx, accountId, rows);
  return {
    list: rows.map((row) => present(row, attempts.get(row.id) ?? [], alarmId ?? null, locale)),
    total: counted.rows[0]?.total ?? 0,
  };
}

async function attemptsOf(tx: Tx, accountId: string, rows: readonly Row[]): Promise<Map<string, Attempt[]>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const found = await notifyTables(tx)
    .selectFrom('alarm_attempt')
    .select(['delivery_id', 'at', 'error'])
    .where('account_id', '=', accountId)
    .where('delivery_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('at', 'desc')
    .execute();
  return grouped(found, (row) => row.delivery_id);
}

export function reasonText(locale: Locale, reason: string): string {
  const status = /^HTTP (\d+)$/.exec(reason)?.[1];
  return status ? messageByKey(locale, 'delivery.http_status', { status }) : reasonOf(locale, reason);
}

function present(row: Row, attempts: readonly Attempt[], alarmId: string | null, locale: Locale) {
  const { content } = row;
  const items = alarmId ? content.items.filter((item) => item.alarm_id === alarmId) : content.items;
  const test = { alarm_id: null, event: 'test' as const, text: messageByKey(locale, 'notice.test_subject') };
  return {
    id: row.id,
    batch_id: row.batch_id,
    subscription: content.subscription.name,
    channel: row.channel,
    recipient: row.recipient,
    state: row.state,
    error: row.error && reasonText(locale, row.error),
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    next_at: row.state === 'waiting' ? row.next_at.toISOString() : null,
    items: content.test
      ? [test]
      : items.map((item) => ({ alarm_id: item.alarm_id, event: item.event, text: itemText(locale, item) })),
    total: content.test ? 1 : content.total,
    attempts: attempts.slice(0, maxAttempts).map(({ at, error }) => ({
      at: at.toISOString(),
      ok: error === null,
      error: error && reasonText(locale, error),
    })),
  };
}
