import { readFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';
import rateLimit from '@fastify/rate-limit';
import { apiTokenPrefix } from '@yunxun/contract';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Clock } from '../clock.ts';
import { tokenHash } from '../crypto/index.ts';
import type { Database, Tx } from '../database/index.ts';
import { Failure, Invalid } from '../failure.ts';
import type { Log } from '../log.ts';
import { addressKey } from './address.ts';
import type { Caller, Identity, Route } from './call.ts';
import { answerError, envelope } from './envelope.ts';
import { localeOf } from './locale.ts';
import { perform } from './pipeline.ts';
import { compileInput } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
  interface FastifyContextConfig {
    /** Milliseconds in which a request of this route must have arrived whole, where it is not the usual time. */
    arriveWithin?: number;
  }
}

/** Says which of the given ids of a kind exist in the transaction's scope. */
export type ObjectResolver = (tx: Tx, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** What a call says beside its token of how it is to be taken. */
export interface Claim {
  /** The account to act in (header `account`); null: the person's own. */
  account: string | null;
  /** Whose view of it is asked for (header `view-as`: `member:<id>` or `grant:<id>`). */
  viewAs: string | null;
  ip: string;
  /** False for what goes on without anybody doing anything, which keeps no session alive. */
  active: boolean;
}

export interface HttpOptions {
  database: Database;
  clock: Clock;
  log: Log;
  tls: { certFile: string; keyFile: string } | null;
  /** An origin beside the console's own that its pages may show pictures of; null: none. */
  pictureOrigin: string | null;
  /** Who the bearer token of this hash makes the caller; null when it is dead. */
  authenticate(tokenHash: Buffer, claim: Claim): Promise<Identity | null>;
  objects: Readonly<Record<string, ObjectResolver>>;
  /** What the limits on calls are multiplied by; 1 but in tests that call more than people do. */
  limitFactor: number;
  /** Milliseconds in which a request must have arrived whole; a minute but in tests of just that. */
  arriveWithin?: number;
}

/** Calls of one address in a minute to any one endpoint that names no limit of its own. */
const callsPerMinute = 6000;

/** Milliseconds in which a request must have arrived whole, usually; and the most that a route may give it. */
const arriveWithin = 60_000;
export const longestArrival = 600_000;

/** The HTTP server without routes: envelope, languages, errors, rate limit, security headers. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { tls } = options;
  const app = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 2 * 1024 * 1024,
    trustProxy: 'loopback',
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
    // Node knows one time for the whole server; what is usual is held below
    requestTimeout: longestArrival,
    // an address that cannot be read
    frameworkErrors: (error, request, reply) => answerError(error, request, reply as FastifyReply),
    ...(tls ? { https: { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } } : {}),
  });
  app.decorateRequest('identity', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new Invalid({ body: [{ key: 'validation.invalid' }] })),
  );
  const headers = securityHeaders(options.pictureOrigin);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
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

/** Ends a request that has not arrived whole in so many milliseconds, as Node itself does. */
function endLate(app: FastifyInstance, { raw, headers }: FastifyRequest, within: number): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  const late = () => {
    // all of it is here, whoever reads it
    if (raw.complete) return;
    const error = Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', error, raw.socket);
  };
  const timer = setTimeout(late, within).unref();
  raw.once('close', () => clearTimeout(timer));
}

const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'";

/** What is sent with everything. */
const securityHeaders = (pictureOrigin: string | null) => ({
  'content-security-policy': pictureOrigin === null ? policy : `${policy}; img-src 'self' ${pictureOrigin}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
});

function parseJson(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    done(null, text.length === 0 ? {} : JSON.parse(text as string));
  } catch {
    done(new Invalid({ body: [{ key: 'validation.invalid' }] }));
  }
}

/** Mounts a feature's endpoints. Order of a call: rate limit, authenticate, then what `perform` does, envelope. */
export function mount(app: FastifyInstance, options: HttpOptions, routes: readonly Route[]): void {
  for (const route of routes) {
    const { endpoint, handle } = route;
    const check = compileInput(endpoint.body);
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      // asking for the head of a call must not do what the call does
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
          const identity = await identify(options, request, caller);
          if (!identity) return refuseUnsigned(endpoint.path, caller, reply);
          data = await perform(options, route, check, given, { identity, caller, setToken });
        }
        const body = envelope('success', caller.locale, data);
        return reply.send(token === undefined ? body : { ...body, token });
      },
    });
  }
}

/** The signed-in caller of a request, or null. */
export async function identify(
  options: HttpOptions,
  request: FastifyRequest,
  caller: Caller,
  active = true,
): Promise<Identity | null> {
  if (!caller.token) return null;
  const said = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return options.authenticate(tokenHash(caller.token), {
    account: said('account'),
    viewAs: said('view-as'),
    ip: caller.ip,
    active,
  });
}

/** What a request tells of its caller. */
export function callerOf(request: FastifyRequest): Caller {
  const header = request.headers.authorization ?? '';
  return {
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 400),
    locale: localeOf(request),
    token: /^bearer /i.test(header) ? header.slice(7).trim() : null,
    // `protocol` is what a proxy on this machine says it is; nobody else is believed
    tls: (request.socket as TLSSocket).encrypted ? 'console' : request.protocol === 'https' ? 'proxy' : 'none',
  };
}

/** Answers a call, or the opening of a stream, whose token is none; a program is told so of its API token. */
export function refuseUnsigned(path: string, { locale, token }: Caller, reply: FastifyReply): FastifyReply {
  const params = { by: token?.startsWith(apiTokenPrefix) ? 'token' : 'session' };
  // spec section 8: the user fetch says 4003; every other call HTTP 401
  if (path === '/api/v3/user') return reply.send(envelope('notSignedIn', locale, null, params));
  return reply.status(401).send(envelope('unauthorized', locale, null, params));
}
