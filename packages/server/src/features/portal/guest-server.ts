import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import rateLimit from '@fastify/rate-limit';
import { captiveForms } from '@yunxun/contract/device';
import { errorPage, type Frame, type PageLocale, styleSheet } from '@yunxun/portal';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { addressKey } from '../../platform/http/address.ts';
import { localeOf } from '../../platform/http/locale.ts';
import { tlsSuites } from '../../platform/listen.ts';
import type { Log } from '../../platform/log.ts';
import { type ConnectionLimitOptions, createConnectionLimits } from './connection-limits.ts';
import { keepLine, readRelayLine } from './relay-line.ts';

export interface GuestServerOptions extends ConnectionLimitOptions {
  log: Log;
  tls: { certFile: string; keyFile: string } | null;
  limitFactor: number;
  deviceOf?: (request: FastifyRequest) => Promise<string | null>;
  /** For handshake, header and request each. */
  arriveWithinMs?: number;
}

/** Guests may share an address. */
const perAddressMinute = 6000;
const perDeviceMinute = 300;

const maxAddresses = 50_000;

const bodyBytes = 16 * 1024;
const defaultArriveWithinMs = 15_000;

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // addresses carry sealed state; without any referrer browsers hide the origin of the portal's own forms
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Without a network. */
const defaultStyle = '/p/page.css';
const frameOf = (locale: PageLocale): Frame => ({
  locale,
  style: defaultStyle,
  picture: () => '',
  otherLanguage: null,
  page: {
    title: { zh: '', en: '' },
    logo: null,
    background: null,
    carousel: [],
    countdown: null,
    colour: '#1f6feb',
    text: { zh: '', en: '' },
    terms: { zh: '', en: '' },
  },
});

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.status(status).type('text/html; charset=utf-8').send(page);
}

export function sendOff(reply: FastifyReply, locale: PageLocale): FastifyReply {
  return sendPage(reply, errorPage(frameOf(locale), { reason: 'off' }, null), 404);
}

function localeIn(request: FastifyRequest): PageLocale {
  const { lang = new URLSearchParams(request.url.split('?')[1]).get('lang') } = (request.body ?? {}) as {
    lang?: string;
  };
  return localeFor(request, lang);
}

/** Returns the language that the page asks for, else the browser's. */
export const localeFor = (request: FastifyRequest, lang: string | null): PageLocale =>
  lang === 'en' || lang === 'zh-CN' ? lang : localeOf(request, 'en');

/** Uses its own port and origin, without the console's API. */
export async function createGuestServer(options: GuestServerOptions): Promise<FastifyInstance> {
  const { limitFactor, log, trustedProxies, deviceOf } = options;
  const devices = new WeakSet<FastifyRequest>();
  const connections = createConnectionLimits(options);
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytes,
    trustProxy: [...trustedProxies],
    routerOptions: { maxParamLength: 64 },
    forceCloseConnections: true,
    serverFactory: (handler) => createBothServer(handler, options, connections),
  });
  app.addHook('preClose', async () => connections.closeAll());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
    done(null, Object.fromEntries(new URLSearchParams(text as string))),
  );
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
  app.setErrorHandler((error, request, reply) => {
    const { statusCode = 500 } = error as { statusCode?: number };
    if (statusCode >= 500) request.log.error({ err: error, path: request.routeOptions.url }, 'portal request failed');
    const seconds = Number(reply.getHeader('retry-after') ?? 60);
    const tooMany = devices.has(request) ? ('too_many_device' as const) : ('too_many_address' as const);
    const reason = statusCode === 429 ? tooMany : ('busy' as const);
    return sendPage(reply, errorPage(frameOf(localeIn(request)), { reason, params: { seconds } }, null), statusCode);
  });
  app.setNotFoundHandler((request, reply) => sendOff(reply, localeIn(request)));
  await app.register(rateLimit, {
    timeWindow: 60_000,
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    cache: maxAddresses,
    // a form carries its device
    hook: 'preHandler',
    max: (request) => limitFactor * (devices.has(request) ? perDeviceMinute : perAddressMinute),
    keyGenerator: async (request) => {
      const device = (await deviceOf?.(request)) ?? null;
      if (device !== null) devices.add(request);
      return device ?? addressKey(request.ip);
    },
  });
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get(defaultStyle, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(styleSheet({ colour: '#1f6feb', background: null })),
  );
  return app;
}

/**
 * Serves HTTP and HTTPS on one port: openNDS level 1 takes only HTTP, 3 and 4 only HTTPS. The HTTP server's time limits
 * hold for both.
 */
function createBothServer(
  handler: RequestListener,
  { tls, arriveWithinMs: arriveWithin = defaultArriveWithinMs }: GuestServerOptions,
  connections: ReturnType<typeof createConnectionLimits>,
): Server {
  const times = { requestTimeout: arriveWithin, headersTimeout: arriveWithin };
  const plain = createServer({ ...times, connectionsCheckingInterval: arriveWithin / 3 }, handler);
  if (!tls) {
    plain.prependListener('connection', (socket: Socket) => {
      if (!connections.enter(socket)) socket.destroy();
    });
    return plain;
  }
  const secure = createTlsServer({
    ...tlsSuites,
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: arriveWithin,
    cert: readFileSync(tls.certFile),
    key: readFileSync(tls.keyFile),
  });
  const toHttp = plain.listeners('connection') as ((socket: Socket) => void)[];
  const serve = (socket: Socket) => {
    for (const listener of toHttp) listener.call(plain, socket);
  };
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
    socket.on('error', () => socket.destroy());
    if (!connections.enter(socket)) return void socket.destroy();
    const cut = setTimeout(() => socket.destroy(), arriveWithin).unref();
    socket.once('close', () => clearTimeout(cut));
    readRelayLine(socket, ({ isTls, line }) => {
      clearTimeout(cut);
      const path = pathOf(socket);
      if (line !== null && isTls && captiveForms.relay.test(line)) {
        waiting.set(path, line);
        socket.once('close', () => waiting.delete(path));
      }
      if (isTls) secure.emit('connection', socket);
      else serve(socket);
    });
  });
  return plain;
}
