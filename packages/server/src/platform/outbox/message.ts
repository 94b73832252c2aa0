import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { withoutBidi } from '@yunxun/contract/plain-text';

export const channels = ['sms', 'email'] as const;
export type Channel = (typeof channels)[number];

/** File of a mail. */
export interface Attachment {
  name: string;
  content: Buffer;
}

/** `sms.<template>`, `mail.<template>.subject|text`. */
export interface OutboxMessage {
  accountId?: string | null;
  channel: Channel;
  to: string;
  template: string;
  params: Readonly<Record<string, string | number>>;
  locale: Locale;
  /** Expired: not sent. */
  expiresAt?: Date;
  /** Mail only, beside the text. */
  html?: string;
  attachment?: Attachment;
}

export interface Outgoing {
  /** Same at every attempt, for deduplication. */
  id: string;
  at: string;
  channel: Channel;
  to: string;
  template: string;
  params: Readonly<Record<string, string | number>>;
  subject: string;
  text: string;
  html: string | null;
  attachment: Attachment | null;
}

export interface Adapter {
  /** @returns the provider's answer @throws DeliveryError; others are temporary */
  send(message: Outgoing): Promise<string>;
}

export const sendTimeoutMs = 15_000;

export type OwnReason =
  | ('template_missing' | 'no_answer' | 'expired' | 'not_smtp' | 'private_address' | 'private_target' | 'redirected')
  | ('to_file' | 'connection_refused' | 'connection_lost' | 'unreachable' | 'unknown_host' | 'bad_certificate')
  | ('bad_signature' | 'unexpected_answer');

/** Provider's answer or `OwnReason`. Temporary ones are retried. */
export class DeliveryError extends Error {
  readonly permanent: boolean;
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfterMs: number;

  constructor(reason: string, permanent = false, retryAfterMs = 0) {
    super(reason);
    this.permanent = permanent;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Translates an `OwnReason`; passes on the provider's answer. */
export function reasonOf(locale: Locale, reason: string): string {
  const key = `delivery.${reason}`;
  const words = messageByKey(locale, key);
  return words === key ? reason : words;
}

/** Without bidirectional controls, which names of devices and guests may have. */
export function plain(message: OutboxMessage): OutboxMessage {
  const { params, html, attachment } = message;
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? withoutBidi(value) : value,
  ]);
  return {
    ...message,
    params: Object.fromEntries(values) as OutboxMessage['params'],
    ...(html === undefined ? {} : { html: withoutBidi(html) }),
    ...(attachment ? { attachment: { ...attachment, name: withoutBidi(attachment.name) } } : {}),
  };
}

export function messageText({ channel, template, params, locale }: OutboxMessage): { subject: string; text: string } {
  if (channel === 'sms') return { subject: '', text: messageByKey(locale, `sms.${template}`, params) };
  return {
    subject: messageByKey(locale, `mail.${template}.subject`, params),
    text: messageByKey(locale, `mail.${template}.text`, params),
  };
}
