import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import { DeliveryError, type OwnReason } from '../outbox/message.ts';
import { hostOf, PrivateAddress, publicAddresses } from './address.ts';

export interface Exchange {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
  privateAddresses: boolean;
  /** Bytes of the answer that are read. */
  maxAnswer: number;
  /** Milliseconds, with the lookup. */
  timeoutMs: number;
}

export interface Answer {
  status: number;
  /** Cut once it reaches `maxAnswer`. */
  body: Buffer;
  /** Milliseconds that `Retry-After` asks to wait; null without it. */
  retryAfterMs: number | null;
}

/**
 * Connects to checked addresses only, follows no redirect, bounds the answer.
 * @throws DeliveryError
 */
export async function exchange(asked: Exchange): Promise<Answer> {
  const target = new URL(asked.url);
  const host = hostOf(asked.url);
  try {
    const signal = AbortSignal.timeout(asked.timeoutMs);
    const looked = asked.privateAddresses ? lookup(host, { all: true }) : publicAddresses(host);
    const addresses = await unlessAborted(signal, looked);
    const request = target.protocol === 'https:' ? tlsRequest : plainRequest;
    return await new Promise<Answer>((resolve, reject) => {
      const sent = request(
        {
          method: asked.method,
          host,
          port: target.port || undefined,
          path: target.pathname + target.search,
          agent: false,
          signal,
          ...(isIP(host) === 0 && { servername: host }),
          lookup: (_host, options, done) =>
            options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
          headers: { host: target.host, 'user-agent': 'Yunxun', ...asked.headers },
        },
        (answer) => resolve(readAnswer(answer, asked.maxAnswer)),
      );
      sent.on('error', reject);
      sent.end(asked.body);
    });
  } catch (error) {
    throw refusalOf(error as Error & { code?: string });
  }
}

/** Rejects on abort: a lookup cannot be ended. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work, aborted]);
}

async function readAnswer(answer: IncomingMessage, maxAnswer: number): Promise<Answer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    parts.push(part as Buffer);
    size += (part as Buffer).length;
    if (size >= maxAnswer) break;
  }
  answer.destroy();
  const retryAfterMs = retryAfterOf(answer.headers['retry-after']);
  return { status: answer.statusCode ?? 0, body: Buffer.concat(parts), retryAfterMs };
}

/** Reads seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

const reasons: Readonly<Record<string, OwnReason>> = {
  ABORT_ERR: 'no_answer',
  ETIMEDOUT: 'no_answer',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNRESET: 'connection_lost',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
};

function refusalOf(error: Error & { code?: string }): DeliveryError {
  if (error instanceof PrivateAddress) return new DeliveryError('private_target' satisfies OwnReason, true);
  if (error.name === 'TimeoutError') return new DeliveryError('no_answer' satisfies OwnReason);
  const reason = reasons[error.code ?? ''];
  if (reason) return new DeliveryError(reason);
  if (/CERT|TLS|SSL|SELF_SIGNED|ISSUER/.test(error.code ?? ''))
    return new DeliveryError('bad_certificate' satisfies OwnReason);
  return new DeliveryError(error.message);
}
