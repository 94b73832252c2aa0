import { createHmac } from 'node:crypto';
import type { EndpointType } from '@yunxun/contract';
import { withoutBidi } from '@yunxun/contract/plain-text';
import { DeliveryError, type OwnReason } from '../../../platform/outbox/message.ts';
import type { Answer } from '../../../platform/outgoing/exchange.ts';
import { clip } from './clip.ts';
import type { Text } from './compose.ts';

/** Sealed in the database. */
export interface Target {
  url: string;
  /** Empty: none. */
  secret: string;
}

export interface Message {
  id: string;
  text: Text;
  payload: object;
}

export interface Prepared {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Bytes: WeCom takes 2048, the others more. */
const maxBytes = 2000;
const secretPrefix = 'whsec_';

/** Names of devices may have bidirectional controls. */
const plainJson = (body: object): string => withoutBidi(JSON.stringify(body));
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest('base64');

/** Signs with the attempt's time; the id stays. */
export function prepare(type: EndpointType, target: Target, message: Message, now: Date): Prepared {
  const plain = clip(`${message.text.subject}\n\n${message.text.text}`, maxBytes);
  const to = (body: object, url = target.url): Prepared => ({ url, headers: {}, body: plainJson(body) });
  const seconds = Math.floor(now.getTime() / 1000);
  if (type === 'webhook') return webhook(target, message, seconds);
  if (type === 'slack') return to({ text: plain });
  if (type === 'wecom') return to({ msgtype: 'text', text: { content: plain } });
  if (type === 'dingtalk') {
    const body = { msgtype: 'text', text: { content: plain } };
    if (!target.secret) return to(body);
    // https://open.dingtalk.com/document/robots/customize-robot-security-settings
    const url = new URL(target.url);
    url.searchParams.set('timestamp', String(now.getTime()));
    url.searchParams.set('sign', hmac(target.secret, `${now.getTime()}\n${target.secret}`));
    return to(body, url.href);
  }
  const body = { msg_type: 'text', content: { text: plain } };
  if (!target.secret) return to(body);
  // https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot: the text is the key, the data empty
  return to({ timestamp: String(seconds), sign: hmac(`${seconds}\n${target.secret}`, ''), ...body });
}

/** Signs `id.timestamp.body` under the decoded secret (https://www.standardwebhooks.com). */
function webhook({ url, secret }: Target, { id, payload }: Message, seconds: number): Prepared {
  const body = plainJson(payload);
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = `v1,${hmac(key, `${id}.${seconds}.${body}`)}`;
  return {
    url,
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature },
  };
}

export function webhookSecret(random: Buffer): string {
  return secretPrefix + random.toString('base64');
}

/** Codes of messengers for too many messages, and for a service that is busy. */
const temporary: ReadonlySet<number> = new Set([-1, 45009, 130101, 410100, 9499, 11232]);
/** Wrong signature: DingTalk, Feishu. */
const unsigned: ReadonlySet<number> = new Set([310000, 19021]);

/** @throws DeliveryError unless the HTTP status is a success */
export function requireSuccess({ status, retryAfterMs }: Omit<Answer, 'body'>): void {
  if (status >= 300 && status < 400) throw new DeliveryError('redirected' satisfies OwnReason, true);
  if (status < 200 || status >= 300) {
    const isTemporary = status >= 500 || [408, 425, 429].includes(status);
    throw new DeliveryError(`HTTP ${status}`, !isTemporary, retryAfterMs ?? 0);
  }
}

/** @throws DeliveryError unless accepted */
export function requireAccepted(type: EndpointType, answered: Omit<Answer, 'body'> & { body: string }): void {
  const { body } = answered;
  requireSuccess(answered);
  if (type === 'webhook' || type === 'slack') return;
  const answer = parsed(body);
  const code = Number(answer.errcode ?? answer.code ?? answer.StatusCode ?? 0);
  if (code === 0) return;
  if (unsigned.has(code)) throw new DeliveryError('bad_signature' satisfies OwnReason, true);
  const words = String(answer.errmsg ?? answer.msg ?? answer.StatusMessage ?? '').slice(0, 200);
  throw new DeliveryError(`${code} ${words}`.trim(), !temporary.has(code));
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    throw new DeliveryError('unexpected_answer' satisfies OwnReason, true);
  }
}
