import { alarmNotices, type MemberChannel } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import { afterCommit, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import type { Outbox } from '../../../platform/outbox/index.ts';
import { type Contact, contactsOf } from '../../identity/contacts.ts';
import { maskLogin } from '../../identity/mask.ts';
import type { Messages } from '../../messages/service.ts';
import type { SmsSender } from '../../sms/send.ts';
import { browsersOf } from './browser-store.ts';
import { textOf } from './compose.ts';
import { noticeHtml } from './mail-html.ts';
import { type Content, type DeliveryTable, notifyTables, type SubscriptionTable } from './tables.ts';

export const deliverTask = 'alarms-deliver';

export interface MessageDeps {
  clock: Clock;
  messages: Pick<Messages, 'post'>;
  outbox: Outbox;
  sms: SmsSender;
  config: { publicUrl: string; privateWebhooks: boolean };
}

export type Batch = Omit<Content, 'items' | 'total'> & { items: Content['items'] };

/** Why a message to a member cannot be sent; `delivery.<reason>`. */
type MemberReason = 'not_member' | 'no_email' | 'no_mobile' | 'sms_limit' | 'sms_balance' | 'no_browser';

/** Sends to members with this transaction, to addresses by a task. Members read only of their networks. */
export async function makeMessages(
  tx: Tx,
  { clock, messages, outbox, sms: sender, config }: MessageDeps,
  subscription: SubscriptionTable,
  batch: Batch,
): Promise<string> {
  const { account_id: accountId, member_channels: channels } = subscription;
  const now = clock.now();
  const batchId = newId();
  const deliveries: Omit<DeliveryTable, 'attempts'>[] = [];
  const contentOf = (items: Content['items']): Content => ({
    ...batch,
    items: items.slice(0, alarmNotices.noticeLimits.items),
    total: items.length,
  });
  const add = (
    row: Pick<DeliveryTable, 'channel' | 'recipient' | 'content' | 'state'> & Partial<Omit<DeliveryTable, 'attempts'>>,
  ) =>
    deliveries.push({
      ...{ account_id: accountId, id: newId(), batch_id: batchId, subscription_id: subscription.id },
      ...{ endpoint_id: null, outbox_id: null, next_at: now, error: null, created_at: now },
      ...{ sent_at: row.state === 'sent' ? now : null, ...row },
    });

  const contacts = new Map(
    (channels.length > 0 ? await contactsOf(tx, accountId, subscription.members) : []).map((one) => [one.id, one]),
  );
  const browsers = await browsersOf(tx, channels.includes('web_push') ? subscription.members : []);
  let smsLeft = channels.includes('sms') ? await smsOfDay(tx, accountId, now) : 0;

  function queueMail(to: string, { locale }: Contact, content: Content): Promise<string> {
    const { subject, text } = textOf(content, locale, config.publicUrl);
    const params = { subject, text, name: subscription.name };
    const html = noticeHtml(content, locale, config.publicUrl);
    return outbox.queue(tx, { accountId, channel: 'email', to, locale, template: 'alarm', params, html });
  }

  /** Returns null if the SMS balance is used up. */
  async function queueSms(to: string, { locale }: Contact, { test, items }: Content, params: SmsParams) {
    const gwid = items.every((item) => item.gwid === items[0]!.gwid) ? (items[0]?.gwid ?? null) : null;
    try {
      return await sender.queue(tx, { accountId, gwid, purpose: 'alarm', to, locale, ...smsOf(test, params) });
    } catch (error) {
      if (error instanceof Failure && error.code === 'balanceInsufficient') return null;
      throw error;
    }
  }

  function toBrowsers({ id, name, locale }: Contact, content: Content): void {
    const own = browsers.get(id) ?? [];
    for (const browser of own)
      add({
        ...{ channel: 'web_push', recipient: `${name}: ${browser.name}`, content: { ...content, locale } },
        ...{ state: 'waiting', endpoint_id: browser.id },
      });
    if (own.length === 0)
      add({
        channel: 'web_push',
        recipient: name,
        content,
        state: 'failed',
        error: 'no_browser' satisfies MemberReason,
      });
  }

  async function toMember(contact: Contact, channel: MemberChannel, content: Content): Promise<void> {
    const { subject, text, sms } = textOf(content, contact.locale, config.publicUrl);
    const fail = (error: MemberReason, recipient = contact.name) =>
      add({ channel, recipient, content, state: 'failed', error });
    if (channel === 'console') {
      await messages.post(tx, accountId, {
        ...{ type: 'alarm', template: 'alarmNotice', params: { subject, text }, personId: contact.id },
        link: content.items.length === 1 ? `/alarm?alarm=${content.items[0]!.alarm_id}` : '/alarm',
      });
      return void add({ channel, recipient: contact.name, content, state: 'sent' });
    }
    if (channel === 'web_push') return toBrowsers(contact, content);
    const to = channel === 'email' ? contact.email : contact.mobile;
    if (to === null) return void fail(channel === 'email' ? 'no_email' : 'no_mobile');
    if (channel === 'sms') {
      if (smsLeft <= 0) return void fail('sms_limit', maskLogin(to));
      smsLeft -= 1;
    }
    const outboxId = await (channel === 'sms' ? queueSms(to, contact, content, sms) : queueMail(to, contact, content));
    if (outboxId === null) return void fail('sms_balance', maskLogin(to));
    add({ channel, recipient: maskLogin(to), content, state: 'waiting', outbox_id: outboxId });
  }

  for (const id of channels.length > 0 ? subscription.members : []) {
    const contact = contacts.get(id);
    const items = contact?.gwids
      ? batch.items.filter(({ gwid }) => gwid !== null && contact.gwids!.includes(gwid))
      : batch.items;
    if (!batch.test && items.length === 0) continue;
    const content = contentOf(items);
    for (const channel of channels) {
      if (contact) await toMember(contact, channel, content);
      else add({ channel, recipient: '', content, state: 'failed', error: 'not_member' satisfies MemberReason });
    }
  }
  const endpoints = await notifyTables(tx)
    .selectFrom('alarm_endpoint')
    .select(['id', 'type', 'shown'])
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscription.id)
    .orderBy('position')
    .execute();
  for (const { id, type, shown } of endpoints)
    add({
      ...{ channel: type, recipient: shown, content: contentOf(batch.items), state: 'waiting', endpoint_id: id },
    });
  if (deliveries.length === 0) return batchId;
  await notifyTables(tx)
    .insertInto('alarm_delivery')
    .values(deliveries.map((row) => ({ ...row, content: JSON.stringify(row.content) as never })))
    .execute();
  await enqueue(tx, deliverTask, {}, { key: deliverTask, queue: deliverTask });
  if (deliveries.some((row) => row.outbox_id !== null)) afterCommit(tx, () => void outbox.flush());
  return batchId;
}

type SmsParams = { what: string; count: number };

function smsOf(test: boolean, params: SmsParams) {
  return test ? { template: 'test', params: {} } : { template: 'alarm', params };
}

/** Returns the SMS left today (UTC). */
async function smsOfDay(tx: Tx, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from alarm_delivery where account_id = ${accountId} and channel = 'sms'
      and outbox_id is not null and created_at >= date_trunc('day', ${now}::timestamptz, 'UTC')
  `.execute(tx);
  return alarmNotices.noticeLimits.smsPerDay - (rows[0]?.n ?? 0);
}
