import { alarmNotices, type MemberChannel } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import { afterCommit, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { maskLogin } from '../../../platform/mask-login.ts';
import type { Outbox, OutboxMessage } from '../../../platform/outbox/index.ts';
import { type Contact, members } from '../../identity/index.ts';
import type { Messages } from '../../messages/index.ts';
import { browsersOf } from './browser-store.ts';
import { textOf } from './compose.ts';
import { endpointKey, type InformedRecipients, memberKey, type RecipientKey } from './informed-recipients.ts';
import { noticeHtml } from './mail-html.ts';
import { type Content, type DeliveryTable, notifyTables, type SubscriptionTable } from './tables.ts';

export const deliverTask = 'alarms-deliver';

export interface SmsSender {
  /** @returns the outbox id @throws Failure balanceInsufficient */
  queue(
    tx: Tx,
    sms: Omit<OutboxMessage, 'accountId' | 'channel'> & { accountId: string; gwid: string | null; purpose: 'alarm' },
  ): Promise<string>;
}

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

/**
 * Sends to members with this transaction, to addresses by a task. Members read only of their networks.
 * @param informed recipients of recoveries
 */
export async function makeMessages(
  tx: Tx,
  { clock, messages, outbox, sms: sender, config }: MessageDeps,
  subscription: SubscriptionTable,
  batch: Batch,
  informed: ReadonlyMap<string, InformedRecipients> = new Map(),
): Promise<string> {
  const { account_id: accountId } = subscription;
  const now = clock.now();
  const recipients = membersOf(subscription, informed);
  const channels = new Set(recipients.map(({ channel }) => channel));
  const people = [...new Set(recipients.map(({ id }) => id))];
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
      account_id: accountId,
      id: newId(),
      batch_id: batchId,
      subscription_id: subscription.id,
      person_id: null,
      endpoint_id: null,
      outbox_id: null,
      next_at: now,
      error: null,
      created_at: now,
      sent_at: row.state === 'sent' ? now : null,
      ...row,
    });

  const contacts = new Map(
    (people.length > 0 ? await members.contactsOf(tx, accountId, people) : []).map((one) => [one.id, one]),
  );
  const browsers = await browsersOf(tx, channels.has('web_push') ? people : []);
  let smsLeft = channels.has('sms') ? await smsOfDay(tx, accountId, now) : 0;

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
        channel: 'web_push',
        recipient: `${name}: ${browser.name}`,
        content: { ...content, locale },
        state: 'waiting',
        person_id: id,
        endpoint_id: browser.id,
      });
    if (own.length === 0)
      add({
        channel: 'web_push',
        recipient: name,
        content,
        state: 'failed',
        person_id: id,
        error: 'no_browser' satisfies MemberReason,
      });
  }

  async function toMember(contact: Contact, channel: MemberChannel, content: Content): Promise<void> {
    const { subject, text, sms } = textOf(content, contact.locale, config.publicUrl);
    const fail = (error: MemberReason, recipient = contact.name) =>
      add({ channel, recipient, content, state: 'failed', error, person_id: contact.id });
    if (channel === 'console') {
      await messages.post(tx, accountId, {
        template: 'alarmNotice',
        params: { subject, text },
        personId: contact.id,
        link: content.items.length === 1 ? `/alarm?alarm=${content.items[0]!.alarm_id}` : '/alarm',
      });
      return void add({ channel, recipient: contact.name, content, state: 'sent', person_id: contact.id });
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
    add({
      channel,
      recipient: maskLogin(to),
      content,
      state: 'waiting',
      outbox_id: outboxId,
      person_id: contact.id,
    });
  }

  const itemsFor = (key: RecipientKey, isCurrent: boolean, channel: string) =>
    batch.items.filter((item) => {
      const those = item.event === 'recovered' ? informed.get(item.alarm_id) : undefined;
      return those ? those.keys.has(key) || (isCurrent && those.channels.has(channel)) : isCurrent;
    });

  for (const { id, channel, isCurrent } of recipients) {
    const contact = contacts.get(id);
    const items = itemsFor(memberKey(id, channel), isCurrent, channel).filter(
      ({ gwid }) => !contact?.gwids || (gwid !== null && contact.gwids.includes(gwid)),
    );
    if (!batch.test && items.length === 0) continue;
    const content = contentOf(items);
    if (contact) await toMember(contact, channel, content);
    else
      add({
        channel,
        recipient: '',
        content,
        state: 'failed',
        person_id: id,
        error: 'not_member' satisfies MemberReason,
      });
  }
  const endpoints = await notifyTables(tx)
    .selectFrom('alarm_endpoint')
    .select(['id', 'type', 'shown', 'ended_at'])
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscription.id)
    .orderBy('position')
    .execute();
  for (const { id, type, shown, ended_at: endedAt } of endpoints) {
    const items = itemsFor(endpointKey(id), endedAt === null, type);
    if (batch.test ? endedAt !== null : items.length === 0) continue;
    add({ channel: type, recipient: shown, content: contentOf(items), state: 'waiting', endpoint_id: id });
  }
  if (deliveries.length === 0) return batchId;
  await notifyTables(tx)
    .insertInto('alarm_delivery')
    .values(deliveries.map((row) => ({ ...row, content: JSON.stringify(row.content) as never })))
    .execute();
  await enqueue(tx, deliverTask, {}, { key: deliverTask, queue: deliverTask });
  if (deliveries.some((row) => row.outbox_id !== null)) afterCommit(tx, () => void outbox.flush());
  return batchId;
}

interface MemberOnChannel {
  id: string;
  channel: MemberChannel;
  isCurrent: boolean;
}

function membersOf(
  { members, member_channels }: SubscriptionTable,
  informed: ReadonlyMap<string, InformedRecipients>,
): MemberOnChannel[] {
  const all = new Map<RecipientKey, MemberOnChannel>();
  const add = (id: string, channel: MemberChannel, isCurrent: boolean) => {
    const key = memberKey(id, channel);
    if (!all.has(key)) all.set(key, { id, channel, isCurrent });
  };
  for (const id of members) for (const channel of member_channels) add(id, channel, true);
  for (const those of informed.values())
    for (const { personId, channel } of those.members) add(personId, channel, false);
  return [...all.values()];
}

type SmsParams = { what: string; count: number };

function smsOf(test: boolean, params: SmsParams) {
  return test ? { template: 'test', params: {} } : { template: 'alarm', params };
}

/** Today in UTC. */
async function smsOfDay(tx: Tx, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from alarm_delivery where account_id = ${accountId} and channel = 'sms'
      and outbox_id is not null and created_at >= date_trunc('day', ${now}::timestamptz, 'UTC')
  `.execute(tx);
  return alarmNotices.noticeLimits.smsPerDay - (rows[0]?.n ?? 0);
}
