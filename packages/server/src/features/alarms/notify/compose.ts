import type { Locale, NoticeEvent } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { timeText } from '../../../platform/calendar.ts';
import { clip } from './clip.ts';
import type { Content, Item } from './tables.ts';

/** Per text. */
export const maxLines = 10;
/** Characters. */
const maxSms = 60;

type Shown = Pick<Item, 'event' | 'kind' | 'level' | 'name' | 'network' | 'part'>;

export function itemText(locale: Locale, { event, kind, level, name, network, part }: Shown): string {
  const what = messageByKey(locale, `alarm.${kind}`, { name, network, part });
  const word = messageByKey(locale, `notice.level_${level}`);
  return messageByKey(locale, `notice.${event satisfies NoticeEvent}`, { level: word, what });
}

/** Returns what happened, without the level. */
export function whatText(locale: Locale, item: Shown): string {
  const what = messageByKey(locale, `alarm.${item.kind}`, { name: item.name, network: item.network, part: item.part });
  return item.event === 'opened' ? what : messageByKey(locale, `notice.plain_${item.event}`, { what });
}

export interface Text {
  subject: string;
  text: string;
  sms: { what: string; count: number };
}

/** Uses the account's zone. */
export function textOf(
  { test, subscription, account, zone, items, total }: Content,
  locale: Locale,
  publicUrl: string,
): Text {
  if (test) {
    const what = messageByKey(locale, 'notice.test', { name: subscription.name, account: account.name });
    return {
      subject: messageByKey(locale, 'notice.test_subject'),
      text: what,
      sms: { what: subscription.name, count: 0 },
    };
  }
  const worst = itemText(locale, items[0]!);
  const lines = items.slice(0, maxLines).map((item) => linesOf(locale, item, zone));
  const rest = total - lines.length;
  const texts = [
    ...lines,
    ...(rest > 0 ? [messageByKey(locale, 'notice.more', { n: rest })] : []),
    total === 1 ? linkOf(publicUrl, items[0]!) : `${publicUrl}/alarm`,
  ];
  return {
    subject: total === 1 ? worst : messageByKey(locale, 'notice.many', { n: total, account: account.name }),
    text: texts.join('\n\n'),
    sms: { what: worst.slice(0, maxSms), count: total },
  };
}

function linesOf(locale: Locale, item: Item, zone: string): string {
  return [itemText(locale, item), ...factsOf(locale, item, zone)].join('\n');
}

export function factsOf(locale: Locale, item: Item, zone: string): string[] {
  const from = timeText(new Date(item.began_at), zone);
  const to = item.recovered_at === null ? null : timeText(new Date(item.recovered_at), zone);
  const hit = { devices: item.devices_hit, clients: item.clients_hit ?? 0 };
  return [
    to === null ? messageByKey(locale, 'notice.since', { from }) : messageByKey(locale, 'notice.lasted', { from, to }),
    ...powerFact(locale, item),
    ...(item.devices_hit > 1 ? [messageByKey(locale, 'notice.hit', hit)] : []),
  ];
}

function powerFact(locale: Locale, { kind, value, recovered_at: to }: Item): string[] {
  if (kind !== 'peripheral_offline' || value === null) return [];
  return [messageByKey(locale, to === null ? 'notice.power_failed' : 'notice.power_cycled')];
}

export function linkOf(publicUrl: string, item: Item): string {
  return `${publicUrl}/alarm?alarm=${item.alarm_id}`;
}

/** What the service worker of the console shows; `packages/web/public/sw.js` reads it. */
export interface BrowserNotification {
  title: string;
  body: string;
  /** A notification replaces an earlier one with its tag. */
  tag: string;
  /** Path of the console that a click opens. */
  path: string;
  lang: Locale;
  /** Milliseconds since 1970. */
  at: number;
}

/** Bytes of title and text: push services take messages of 4096 bytes with 103 bytes of encryption (RFC 8291). */
const [maxTitle, maxBody] = [400, 1200];

/** Texts are in the language of the content. The recovery of one alarm replaces its notification. */
export function notificationOf(content: Content, id: string, at: Date): BrowserNotification {
  const { test, items, total, locale, zone } = content;
  const { subject, text } = textOf(content, locale, '');
  const only = !test && total === 1 ? items[0]! : null;
  const lines = items.slice(0, maxLines).map((item) => itemText(locale, item));
  const rest = total - lines.length;
  if (rest > 0) lines.push(messageByKey(locale, 'notice.more', { n: rest }));
  const body = test ? [text] : only ? factsOf(locale, only, zone) : lines;
  return {
    title: clip(subject, maxTitle),
    body: clip(body.join('\n'), maxBody),
    lang: locale,
    at: at.getTime(),
    tag: only ? `alarm ${only.alarm_id}` : `message ${id}`,
    path: test ? '/alarm_subscribe?tab=browsers' : only ? linkOf('', only) : '/alarm',
  };
}

/** Returns the body of a webhook: the same at every attempt. */
export function payloadOf(content: Content, id: string, at: Date, publicUrl: string): object {
  const { test, subscription, account, locale, items, total } = content;
  return {
    id,
    type: test ? 'alarm.test' : 'alarm.notice',
    created_at: at.toISOString(),
    subscription,
    account,
    total,
    alarms: items.map((item) => ({
      id: item.alarm_id,
      event: item.event,
      kind: item.kind,
      level: item.level,
      text: itemText(locale, item),
      network: item.gwid === null ? null : { id: item.gwid, name: item.network },
      device: item.serial === null ? null : { serial: item.serial, name: item.name },
      part: item.part,
      began_at: item.began_at,
      recovered_at: item.recovered_at,
      count: item.count,
      value: item.value,
      threshold: item.threshold,
      devices_hit: item.devices_hit,
      clients_hit: item.clients_hit,
      url: linkOf(publicUrl, item),
    })),
  };
}
