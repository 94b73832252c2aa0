import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { remote } from '@yunxun/contract';
import { remoteTerminalPath } from '@yunxun/contract/remote-terminal';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { HttpOptions } from '../../../platform/http/http-options.ts';
import { webSocketChannel } from '../relay/channel.ts';
import type { WebFront } from '../web/front.ts';
import { type PageDeps, servePage } from './page.ts';
import { serveWithoutUpgrade } from './without-upgrade.ts';

const maxStrangers = 500;
/** Milliseconds; keeps proxies from closing the connection. */
const pingEvery = 30_000;
const { remoteLimits } = remote;

/** RFC 6455 codes. */
const refused = 1008;
const failed = 1011;

export interface SocketDeps extends PageDeps {
  /** Null: there are no web sessions. */
  web: (Pick<WebFront, 'upgrade'> & { takes(request: IncomingMessage): boolean }) | null;
}

/** Serves terminals by WebSocket. The first text proves the person: a cookie would come along from other sites. */
export function mountTerminals(app: FastifyInstance, _http: HttpOptions, deps: SocketDeps): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: remoteLimits.inputBytes,
  });
  const unanswered = new WeakSet<WebSocket>();
  /** The HTTP server counts them, and closes them no more. */
  const taken = new Set<Duplex>();
  let strangers = 0;

  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    taken.add(socket);
    socket.once('close', () => taken.delete(socket));
    if (deps.web?.takes(request)) return void deps.web.upgrade(request, socket, head);
    const [path, query] = (request.url ?? '').split('?');
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    if (!isWebSocket || path !== remoteTerminalPath)
      return serveWithoutUpgrade(request, socket as Socket, head, (plain, response) => app.routing(plain, response));
    if (strangers >= maxStrangers)
      return void socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    server.handleUpgrade(request, socket, head, (page) => {
      const id = new URLSearchParams(query).get('session') ?? '';
      void meet(page, id, request.socket.remoteAddress ?? '');
    });
  });
  const beat = setInterval(() => {
    for (const page of server.clients) {
      if (unanswered.has(page)) page.terminate();
      unanswered.add(page);
      page.ping();
    }
  }, pingEvery);
  beat.unref();
  app.addHook('preClose', async () => {
    clearInterval(beat);
    for (const socket of taken) socket.destroy();
  });

  async function meet(page: WebSocket, id: string, ip: string): Promise<void> {
    strangers += 1;
    page.on('error', () => page.terminate());
    page.on('pong', () => unanswered.delete(page));
    const hello = await firstText(page);
    strangers -= 1;
    if (hello === null) return page.close(refused);
    try {
      const isServed = await servePage(deps, webSocketChannel(page), { id, hello, ip });
      if (!isServed) page.close(refused);
    } catch (error) {
      deps.log.warn({ err: error, id }, 'page not joined to its remote session');
      page.close(failed);
    }
  }
}

function firstText(page: WebSocket): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (text: string | null) => {
      clearTimeout(timer);
      resolve(text);
    };
    const timer = setTimeout(() => settle(null), remoteLimits.hello);
    page.once('close', () => settle(null));
    page.once('message', (data: Buffer, isBinary) => settle(isBinary ? null : data.toString()));
  });
}
