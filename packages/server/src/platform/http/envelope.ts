import { type CodeName, codes, type Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BusAway } from '../bus/index.ts';
import { Failure, Invalid, type Params } from '../failure.ts';
import { localeOf } from './locale.ts';

/** Other codes answer 200. */
const statuses: Partial<Record<CodeName, number>> = {
  unauthorized: 401,
  invalid: 422,
  tooManyRequests: 429,
  internal: 500,
  unavailable: 503,
};

export function envelope(code: CodeName, locale: Locale, data: unknown, params: Params = {}) {
  return { code: codes[code], message: messageByKey(locale, `code.${code}`, params), data };
}

/** Logs with the request id; answers `internal`. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const locale = localeOf(request);
  if (error instanceof Invalid) {
    // untrusted names: `__proto__` becomes a property
    const errors = Object.fromEntries(
      Object.entries(error.errors).map(([field, own]) => [
        field,
        own.map(({ key, params }) => messageByKey(locale, key, params ?? {})),
      ]),
    );
    return reply.status(422).send({ ...envelope('invalid', locale, null), errors });
  }
  if (error instanceof Failure) {
    const status = statuses[error.code] ?? 200;
    if (error.code === 'tooManyRequests') reply.header('retry-after', String(error.params.seconds ?? 60));
    if (error.code === 'unavailable') reply.header('retry-after', '5');
    return reply.status(status).send(envelope(error.code, locale, error.data, error.params));
  }
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === 413) return reply.status(200).send(envelope('tooLarge', locale, null));
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return reply.status(422).send({
      ...envelope('invalid', locale, null),
      errors: { body: [messageByKey(locale, 'validation.invalid', {})] },
    });
  }
  if (error instanceof BusAway || isConnectionLoss(error)) {
    request.log.warn({ err: error }, 'database or bus unavailable');
    reply.header('retry-after', '5');
    return reply.status(503).send(envelope('unavailable', locale, null));
  }
  const conflict = conflictOf(error);
  if (conflict) {
    request.log.warn({ err: error, url: request.url }, 'a simultaneous request wrote the same key first');
    return reply.status(200).send(envelope(conflict, locale, null));
  }
  request.log.error({ err: error, url: request.url }, 'request failed');
  return reply.status(500).send(envelope('internal', locale, { request_id: request.id }));
}

export function refusalOf(error: unknown, locale: Locale): { code: number; message: string } {
  if (error instanceof Failure) {
    const { code, message } = envelope(error.code, locale, null, error.params);
    return { code, message };
  }
  if (!(error instanceof Invalid)) throw error;
  const [first] = Object.values(error.errors).flat();
  return { code: codes.invalid, message: messageByKey(locale, first?.key ?? 'code.invalid', first?.params ?? {}) };
}

/**
 * Names the loser's answer when two requests insert one key at the same time. Unique indexes of names end with `_name`.
 */
function conflictOf(error: unknown): 'nameExists' | 'changedMeanwhile' | null {
  const { code, constraint = '' } = error as { code?: string; constraint?: string };
  if (code !== uniqueViolation) return null;
  return constraint.endsWith('_name') ? 'nameExists' : 'changedMeanwhile';
}

/** SQLSTATE. */
const uniqueViolation = '23505';

/** Detects an unavailable database, also without connections or disk. */
function isConnectionLoss(error: unknown): boolean {
  const { code, message: text } = error as { code?: string; message?: string };
  return (
    /^(08|53|57014|57P0|25P0[34]|ECONN|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/.test(code ?? '') ||
    /^Connection (terminated|ended)|is not queryable|connection error|timeout exceeded when trying to connect/i.test(
      text ?? '',
    )
  );
}
