import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';

export const channels = ['sms', 'email'] as const;
export type Channel = (typeof channels)[number];

/** A message to a person. The outbox words it in the person's language: `sms.<template>`, `mail.<template>.subject|text`. */
export interface OutboxMessage {
  accountId?: string | null;
  channel: Channel;
  to: string;
  template: string;
  params: Readonly<Record<string, string | number>>;
  locale: Locale;
  /** When it has lost its sense: a code that is not valid any more is not sent. */
  expiresAt?: Date;
}

/** A message in words, on its way. */
export interface Outgoing {
  /** The same at every try: what a provider may tell repetitions by. */
  id: string;
  /** ISO 8601 */
  at: string;
  channel: Channel;
  to: string;
  template: string;
  params: Readonly<Record<string, string | number>>;
  /** Empty for SMS. */
  subject: string;
  text: string;
}

/** A way to the recipient. */
export interface Adapter {
  /** Hands a message over. @returns the provider's own words @throws DeliveryError; anything else counts as passing too */
  send(message: Outgoing): Promise<string>;
}

/** Milliseconds after which a provider that does not answer is given up for this try. */
export const patienceMs = 15_000;

/** Why a message was not taken, where the provider said nothing. */
export type OwnReason = 'template_missing' | 'no_answer' | 'expired';

/**
 * A message was not taken: in the provider's words, or with a reason of our own. Passing troubles are tried again; what is
 * permanent would only be refused again.
 */
export class DeliveryError extends Error {
  readonly permanent: boolean;

  constructor(reason: string, permanent = false) {
    super(reason);
    this.permanent = permanent;
  }
}

/** What is wrong with a message that was not taken, in words: our own reasons are worded, the provider's say it themselves. */
export function reasonOf(locale: Locale, reason: string): string {
  const key = `delivery.${reason}`;
  const words = messageByKey(locale, key);
  return words === key ? reason : words;
}

/** Subject and text of a message, from the catalogue of letters. */
export function wordsOf({ channel, template, params, locale }: OutboxMessage): { subject: string; text: string } {
  if (channel === 'sms') return { subject: '', text: messageByKey(locale, `sms.${template}`, params) };
  return {
    subject: messageByKey(locale, `mail.${template}.subject`, params),
    text: messageByKey(locale, `mail.${template}.text`, params),
  };
}
