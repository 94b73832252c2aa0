import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import rateLimit from '@fastify/rate-limit';
import { errorPage, type Frame, type PageLocale, pageText, styleSheet } from '@yunxun/portal';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { addressKey } from '../../platform/http/address.ts';
import { localeOf } from '../../platform/http/locale.ts';
import { tlsSuites } from '../../platform/listen.ts';
import type { Log } from '../../platform/log.ts';
import { createRelayLimits, type RelayLimitOptions } from './relay-limits.ts';
import { keepLine, readRelayLine } from './relay-line.ts';

export interface GuestServerOptions extends RelayLimitOptions {
  log: Log;
  tls: { certFile: string; keyFile: string } | null;
  limitFactor: number;
  /** For handshake, header and request each. */
  arriveWithinMs?: number;
}

/** Guests may share an address. */
const perAddressMinute = 6000;
const perNetworkMinute = 30_000;

const bodyBytes = 16 * 1024;
const defaultArriveWithinMs = 15_000;
const maxConnections = 5000;

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // addresses carry sealed state
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Without a network. */
const defaultStyle = '/p/page.css';
const frameOf = (locale: PageLocale): Frame => ({
  ...{ locale, style: defaultStyle, picture: () => '', otherLanguage: null },
  page: {
    title: { zh: pageText('zh-CN', 'connect'), en: pageText('en', 'connect') },
    ...{ logo: null, background: null, carousel: [], countdown: null, colour: '#1f6feb' },
    ...{ text: { zh: '', en: '' }, terms: { zh: '', en: '' } },
  },
});

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.status(status).type('text/html; charset=utf-8').send(page);
}

export function sendOff(reply: FastifyReply, locale: PageLocale): FastifyReply {
  return sendPage(reply, errorPage(frameOf(locale), { reason: 'off' }, null), 404);
}

/** Uses its own port and origin, without the console's API. */
export async function createGuestServer(options: GuestServerOptions): Promise<FastifyInstance> {
  const { limitFactor, log, trustedProxies } = options;
  const open = new Set<Socket>();
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytes,
    trustProxy: [...trustedProxies],
    routerOptions: { maxParamLength: 64 },
    forceCloseConnections: true,
    serverFactory: (handler) => createBothServer(handler, options, open),
  });
  app.addHook('preClose', async () => {
    for (const socket of open) socket.destroy();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
    done(null, Object.fromEntries(new URLSearchParams(text as string))),
  );
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
  app.setErrorHandler((error, request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number };
    if (statusCode >= 500) request.log.error({ err: error, path: request.routeOptions.url }, 'portal request failed');
    const seconds = Number(reply.getHeader('retry-after') ?? 60);
    const reason = statusCode === 429 ? ('too_many' as const) : ('busy' as const);
    return sendPage(
      reply,
      errorPage(frameOf(localeOf(request, 'en')), { reason, params: { seconds } }, null),
      statusCode,
    );
  });
  app.setNotFoundHandler((request, reply) => sendOff(reply, localeOf(request, 'en')));
  const shared = {
    timeWindow: 60_000,
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  };
  await app.register(rateLimit, {
    ...shared,
    max: perAddressMinute * limitFactor,
    keyGenerator: (request) => addressKey(request.ip),
  });
  const perNetwork = app.rateLimit({
    ...shared,
    max: perNetworkMinute * limitFactor,
    keyGenerator: (request) => (request.params as { key?: string }).key ?? '',
  });
  app.addHook('preHandler', perNetwork);
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get(defaultStyle, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(styleSheet({ colour: '#1f6feb', background: null })),
  );
  return app;
}

/**
 * Serves HTTP and HTTPS on one port: openNDS level 1 takes only HTTP, 3 and 4 only HTTPS. A decrypted connection joins
 * the HTTP server, whose time limits hold for both.
 */
function createBothServer(
  handler: RequestListener,
  { tls, arriveWithinMs: arriveWithin = defaultArriveWithinMs, ...options }: GuestServerOptions,
  open: Set<Socket>,
): Server {
  const times = { requestTimeout: arriveWithin, headersTimeout: arriveWithin };
  const plain = createServer({ ...times, connectionsCheckingInterval: arriveWithin / 3 }, handler);
  plain.maxConnections = maxConnections;
  if (!tls) return plain;
  const secure = createTlsServer({
    ...{ ...tlsSuites, ALPNProtocols: ['http/1.1'], handshakeTimeout: arriveWithin },
    ...{ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) },
  });
  const toHttp = plain.listeners('connection') as ((socket: Socket) => void)[];
  const serve = (socket: Socket) => {
    for (const listener of toHttp) listener.call(plain, socket);
  };
  const relays = createRelayLimits(options);
  const waiting = new Map<string, string>();
  // NAT may use a port again for another address of the console
  const pathOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
    `${remoteAddress} ${remotePort} ${localAddress}`;
  secure.on('secureConnection', (socket) => {
    const line = waiting.get(pathOf(socket));
    if (line !== undefined) keepLine(socket, line);
    serve(socket);
  });
  secure.on('tlsClientError', (_error, socket) => socket.destroy());
  plain.removeAllListeners('connection');
  plain.on('connection', (socket: Socket) => {
    open.add(socket);
    const cut = setTimeout(() => socket.destroy(), arriveWithin).unref();
    socket.once('close', () => {
      clearTimeout(cut);
      open.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    readRelayLine(socket, ({ isTls, line }) => {
      clearTimeout(cut);
      if (line !== null && !relays.enter(socket)) return void socket.destroy();
      const path = pathOf(socket);
      if (line !== null && isTls && relays.take(line, socket)) {
        waiting.set(path, line);
        socket.once('close', () => waiting.delete(path));
      }
      if (isTls) secure.emit('connection', socket);
      else serve(socket);
    });
  });
  return plain;
}
