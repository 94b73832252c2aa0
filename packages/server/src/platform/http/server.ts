import { readFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import rateLimit from '@fastify/rate-limit';
import { apiTokenPrefix, usualBodyBytes } from '@yunxun/contract';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { tokenHash } from '../crypto/index.ts';
import { Failure, Invalid } from '../failure.ts';
import { tlsSuites } from '../listen.ts';
import type { Log } from '../log.ts';
import { addressKey } from './address.ts';
import type { Caller, Identity, Route } from './call.ts';
import { contentPolicy } from './content-policy.ts';
import { answerError, envelope } from './envelope.ts';
import type { HttpOptions } from './http-options.ts';
import { parseJson } from './json-body.ts';
import { localeOf } from './locale.ts';
import { perform } from './pipeline.ts';
import { compileInput } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
  interface FastifyContextConfig {
    /** Milliseconds for the request to arrive completely. */
    arriveWithin?: number;
  }
}

const callsPerMinute = 6000;

const fileBytes = 1024 * 1024;

const arriveWithin = 60_000;
export const longestArrival = 600_000;

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { tls } = options;
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: usualBodyBytes,
    trustProxy: [...options.trustedProxies],
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
    // Node has one limit; `endLate` enforces the default
    requestTimeout: longestArrival,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
    ...(tls ? { https: { ...tlsSuites, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } } : {}),
  });
  app.decorateRequest('identity', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    parseJson(text),
  );
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new Invalid({ body: [{ key: 'validation.invalid' }] })),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    // RFC 6797, section 7.2: not over plain HTTP
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${strictSeconds}`);
  });
  app.addHook('onRequest', warnOfUnknownProxies(options.log));
  app.addHook('onRequest', async (request) => {
    endLate(app, request, request.routeOptions.config.arriveWithin ?? options.arriveWithin ?? arriveWithin);
  });
  await app.register(rateLimit, {
    global: false,
    max: callsPerMinute * options.limitFactor,
    timeWindow: 60_000,
    keyGenerator: (request) => addressKey(request.ip),
    addHeaders: {
      'retry-after': true,
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    errorResponseBuilder: (_request, context) =>
      new Failure('tooManyRequests', { params: { seconds: Math.ceil(context.ttl / 1000) } }),
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  return app;
}

/** One year, in seconds. */
const strictSeconds = 31_536_000;

/** Untrusted: must not flood the log. */
const maxWarnings = 10;

function warnOfUnknownProxies(log: Log): (request: FastifyRequest) => Promise<void> {
  const warned = new Set<string>();
  return async (request) => {
    const address = request.socket.remoteAddress;
    if (request.headers['x-forwarded-for'] === undefined || !address || (request.ips?.length ?? 1) > 1) return;
    if (warned.has(address) || warned.size >= maxWarnings) return;
    warned.add(address);
    log.warn(
      { address },
      `A request from ${address} carries X-Forwarded-For, which is ignored: YUNXUN_TRUSTED_PROXIES does not name that address. If it is your proxy, name it there; else limits and logs take all its visitors for one.`,
    );
  };
}

/** Times out like Node, per route. */
function endLate(app: FastifyInstance, { raw, headers }: FastifyRequest, within: number): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  const late = () => {
    if (raw.complete) return;
    const error = Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', error, raw.socket);
  };
  const timer = setTimeout(late, within).unref();
  raw.once('close', () => clearTimeout(timer));
}

const securityHeaders = {
  'content-security-policy': contentPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Orders rate limit, authentication, `perform`, envelope. */
export function mount(app: FastifyInstance, options: HttpOptions, routes: readonly Route[]): void {
  const identifyFirst = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    request.identity = await identify(options, request, caller);
    if (!request.identity) await refuseUnsigned(request.routeOptions.url ?? '', caller, reply);
    return undefined;
  };
  for (const route of routes) {
    const { endpoint, handle } = route;
    // browsers and caches add query parameters
    const check = compileInput(endpoint.body, endpoint.method === 'GET' ? 'ignored' : 'refused');
    const bodyLimit = endpoint.bodyBytes ?? usualBodyBytes;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit,
      // before a large body is parsed
      ...(endpoint.access === 'user' && bodyLimit > usualBodyBytes ? { preParsing: identifyFirst } : {}),
      // HEAD must not run the handler
      exposeHeadRoute: false,
      config: {
        rateLimit: endpoint.limit
          ? {
              max: endpoint.limit.max * options.limitFactor,
              timeWindow: endpoint.limit.windowSeconds * 1000,
              groupId: endpoint.path,
            }
          : { max: callsPerMinute * options.limitFactor, timeWindow: 60_000 },
      },
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (bodyLimit >= fileBytes && options.isFull()) throw new Failure('storageFull');
        const caller = callerOf(request);
        const given: unknown = endpoint.method === 'GET' ? request.params : (request.body ?? {});
        let token: string | undefined;
        const setToken = (value: string) => {
          token = value;
        };
        let data: unknown;
        if (endpoint.access === 'public') {
          data = await handle({ caller, setToken, input: check(given) as never });
        } else {
          const identity = request.identity ?? (await identify(options, request, caller));
          if (!identity) return refuseUnsigned(endpoint.path, caller, reply);
          data = await perform(options, route, check, given, { identity, caller, setToken });
        }
        const body = envelope('success', caller.locale, data);
        return reply.send(token === undefined ? body : { ...body, token });
      },
    });
  }
}

export async function identify(
  options: HttpOptions,
  request: FastifyRequest,
  caller: Caller,
  active = true,
): Promise<Identity | null> {
  if (!caller.token) return null;
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return options.authenticate(tokenHash(caller.token), {
    account: header('account'),
    viewAs: header('view-as'),
    ip: caller.ip,
    active,
  });
}

export function callerOf(request: FastifyRequest): Caller {
  const header = request.headers.authorization ?? '';
  return {
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    locale: localeOf(request),
    token: /^bearer /i.test(header) ? header.slice(7).trim() : null,
    // follows trusted proxies only
    tls: (request.socket as TLSSocket).encrypted ? 'console' : request.protocol === 'https' ? 'proxy' : 'none',
  };
}

export function refuseUnsigned(path: string, { locale, token }: Caller, reply: FastifyReply): FastifyReply {
  const params = { by: token?.startsWith(apiTokenPrefix) ? 'token' : 'session' };
  // fixed (docs/adr/0039): the user endpoint answers 4003, others HTTP 401
  if (path === '/api/v3/user') return reply.send(envelope('notSignedIn', locale, null, params));
  return reply.status(401).send(envelope('unauthorized', locale, null, params));
}
