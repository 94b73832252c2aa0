import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';

export const channels = ['sms', 'email'] as const;
export type Channel = (typeof channels)[number];

/** Rendered in the person's language from `sms.<template>`, `mail.<template>.subject|text`. */
export interface OutboxMessage {
  accountId?: string | null;
  channel: Channel;
  to: string;
  template: string;
  params: Readonly<Record<string, string | number>>;
  locale: Locale;
  /** Not sent afterwards: its code has expired. */
  expiresAt?: Date;
}

export interface Outgoing {
  /** Same at every attempt, for the provider's deduplication. */
  id: string;
  at: string;
  channel: Channel;
  to: string;
  template: string;
  params: Readonly<Record<string, string | number>>;
  subject: string;
  text: string;
}

export interface Adapter {
  /** @returns the provider's answer @throws DeliveryError; any other error counts as temporary */
  send(message: Outgoing): Promise<string>;
}

export const sendTimeoutMs = 15_000;

export type OwnReason =
  | ('template_missing' | 'no_answer' | 'expired' | 'not_smtp' | 'private_address' | 'private_target' | 'redirected')
  | ('connection_refused' | 'connection_lost' | 'unreachable' | 'unknown_host' | 'bad_certificate')
  | ('bad_signature' | 'unexpected_answer');

/** Carries the provider's answer or an `OwnReason`. Temporary failures are retried. */
export class DeliveryError extends Error {
  readonly permanent: boolean;

  constructor(reason: string, permanent = false) {
    super(reason);
    this.permanent = permanent;
  }
}

/** Translates an `OwnReason`; passes on the provider's answer. */
export function reasonOf(locale: Locale, reason: string): string {
  const key = `delivery.${reason}`;
  const words = messageByKey(locale, key);
  return words === key ? reason : words;
}

export function messageText({ channel, template, params, locale }: OutboxMessage): { subject: string; text: string } {
  if (channel === 'sms') return { subject: '', text: messageByKey(locale, `sms.${template}`, params) };
  return {
    subject: messageByKey(locale, `mail.${template}.subject`, params),
    text: messageByKey(locale, `mail.${template}.text`, params),
  };
}
