import {
  Agent,
  request as ask,
  type ClientRequestArgs,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { dialHolder, type HolderDeps } from '../relay/holder.ts';
import { paths } from './frame.ts';
import type { WebName, WebNames } from './names.ts';
import { maxListeners, overNotice, sendStyle, type WebSession } from './web-session.ts';

type FindWeb = (name: WebName) => WebSession | undefined;

export interface WebFront {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const refuse = (socket: Duplex) =>
  void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');

/** Serves the names of sessions whose devices are connected to this process. */
function localFront(names: WebNames, find: FindWeb, others: WebFront): WebFront {
  return {
    request(request, response) {
      const name = names.read(request.headers.host);
      const session = name && find(name);
      if (session) session.serve(request, response, name.part);
      else others.request(request, response);
    },
    upgrade(request, socket, head) {
      const name = names.read(request.headers.host);
      const session = name && find(name);
      if (session) session.upgrade(request, socket, head, name.part);
      else others.upgrade(request, socket, head);
    },
  };
}

/** For names whose session is not known here. */
const overFront = ({ console }: WebNames): WebFront => ({
  request(request, response) {
    if (request.url === paths.style) sendStyle(response);
    else overNotice(request, response, 403, { reason: null, who: 'anyone', console });
  },
  upgrade: (_request, socket) => refuse(socket),
});

/** @returns what takes a connection from another process, with the requests of its browsers */
export function serveOtherProcesses(names: WebNames, find: FindWeb): (socket: TLSSocket) => void {
  const front = localFront(names, find, overFront(names));
  const server = createServer((request, response) => front.request(request, response));
  server.on('upgrade', (request, socket, head) => front.upgrade(request, socket, head));
  return (socket) => void server.emit('connection', socket);
}

interface OfSession extends ClientRequestArgs {
  session?: string;
}

/** Connections to the processes that have sessions, kept for each session. */
class HolderAgent extends Agent {
  readonly #deps: HolderDeps;

  constructor(deps: HolderDeps) {
    super({ keepAlive: true, maxFreeSockets: 2 });
    this.#deps = deps;
  }

  override getName(options: OfSession = {}): string {
    return options.session ?? '';
  }

  override createConnection(options: OfSession, done: (error: Error | null, socket: Duplex) => void): Duplex {
    dialHolder(this.#deps, options.session ?? '', { what: 'web' }).then(
      (socket) => done(socket ? null : new Error('the session is over'), socket as never),
      (error: Error) => done(error, undefined as never),
    );
    return undefined as never;
  }
}

/** Passes on to the process that has the session, which alone knows who may see it. */
function otherProcesses(names: WebNames, deps: HolderDeps): WebFront & { stop(): void } {
  const agent = new HolderAgent(deps);
  const over = overFront(names);
  return {
    request(request, response) {
      const name = names.read(request.headers.host);
      if (!name) return void over.request(request, response);
      const { method, url: path, headers } = request;
      const options: OfSession & { agent: Agent } = { agent, session: name.id, headers };
      const outgoing = ask({ ...options, method: method ?? 'GET', path: path ?? '/' });
      response.once('close', () => outgoing.destroy());
      outgoing.on('error', () => {
        if (response.headersSent) response.destroy();
        else over.request(request, response);
      });
      outgoing.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
        pipeline(answer, response).catch(() => undefined);
      });
      pipeline(request, outgoing).catch(() => undefined);
    },
    upgrade(request, socket, head) {
      const name = names.read(request.headers.host);
      if (!name) return void refuse(socket);
      dialHolder(deps, name.id, { what: 'web' }).then(
        (holder) => {
          if (!holder) return void refuse(socket);
          for (const one of [socket, holder]) one.setMaxListeners(maxListeners);
          const lines = request.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
          holder.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines}\r\n`);
          holder.write(head);
          pipeline(socket, holder).catch(() => socket.destroy());
          pipeline(holder, socket).catch(() => socket.destroy());
        },
        () => refuse(socket),
      );
    },
    stop: () => agent.destroy(),
  };
}

/** Takes what is asked below the remote host from the console, before it is read as a call. */
export function mountWebFront(
  app: FastifyInstance,
  names: WebNames,
  find: FindWeb,
  deps: HolderDeps,
): Pick<WebFront, 'upgrade'> & { takes(request: IncomingMessage): boolean } {
  const others = otherProcesses(names, deps);
  const front = localFront(names, find, others);
  const calls = app.server.listeners('request');
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (names.takes(request.headers.host)) return void front.request(request, response);
    for (const call of calls) Reflect.apply(call, app.server, [request, response]);
  });
  app.addHook('onClose', async () => others.stop());
  return { takes: (request) => names.takes(request.headers.host), upgrade: front.upgrade };
}
