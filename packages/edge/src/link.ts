import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { unboundStatus } from '@yunxun/contract/device';
import WebSocket from 'ws';
import type { Identity } from './enrol.ts';
import { certificateNames } from './host-name.ts';

export interface LinkEnd {
  kind: 'closed' | 'failed' | 'wrong-host';
  detail: string;
  /** Milliseconds. */
  retryAfter?: number;
  /** The console, authenticated by the pinned authority, says that this device was unbound. */
  unbound?: true;
}

export interface LinkNetwork {
  lookup?: LookupFunction;
  /** Milliseconds. Default: the kernel's. */
  connectTimeout?: number;
  proven?(name: string, address: string): void;
}

export interface LinkHandlers {
  opened(): void;
  text(text: string, bytes: number): void;
  alive(): void;
  hung(): boolean;
  ended(end: LinkEnd): void;
}

export interface Link {
  send(text: string): void;
  ping(): void;
  close(): void;
  drop(): void;
}

/** TLS context and session ticket, which outlive a link. */
export interface LinkMemory {
  context?: SecureContext;
  session?: Buffer;
}

const receiveLimit = 16 * 1024 * 1024;

/**
 * Connects to `wss://server:port/`. Verifies the chain against the enrolled authority, then optionally the name by the
 * firmware's rule. Offers no subprotocol and no compression.
 */
export function openLink(
  identity: Identity,
  checkHost: boolean,
  memory: LinkMemory,
  handlers: LinkHandlers,
  network: LinkNetwork = {},
): Link {
  memory.context ??= createSecureContext({
    ca: identity.ca,
    cert: identity.certificate,
    key: identity.key,
    minVersion: 'TLSv1.2',
  });
  let end: LinkEnd | null = null;
  const finish = (kind: LinkEnd['kind'], detail: string, more: Omit<LinkEnd, 'kind' | 'detail'> = {}) => {
    if (end !== null) return;
    end = { kind, detail, ...more };
    handlers.ended(end);
  };
  const socket = new WebSocket(`wss://${bracketed(identity.server)}:${identity.port}/`, {
    perMessageDeflate: false,
    maxPayload: receiveLimit,
    handshakeTimeout: 30_000,
    autoPong: false,
    createConnection: () =>
      connectTls(identity, checkHost, memory, network, () => finish('wrong-host', identity.server)),
  });
  socket.on('open', () => {
    handlers.alive();
    handlers.opened();
  });
  socket.on('message', (data, isBinary) => {
    handlers.alive();
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    if (!isBinary) handlers.text(bytes.toString('utf8'), bytes.length);
  });
  socket.on('pong', () => handlers.alive());
  socket.on('ping', (data) => {
    handlers.alive();
    if (!handlers.hung()) socket.pong(data);
  });
  socket.on('unexpected-response', (request, response) => {
    const detail = `Unexpected server response: ${response.statusCode}`;
    const more = response.statusCode === unboundStatus ? { unbound: true as const } : {};
    finish('failed', detail, { ...retryAfterOf(response.headers['retry-after']), ...more });
    request.destroy();
  });
  // if all addresses fail, the error has no message
  socket.on('error', (error: NodeJS.ErrnoException) => finish('failed', error.message || error.code || String(error)));
  socket.on('close', (code, reason) => finish('closed', `${code} ${reason.toString('utf8')}`.trim()));
  const whenOpen = (act: () => void) => {
    if (socket.readyState === WebSocket.OPEN) act();
  };
  return {
    send: (text) => whenOpen(() => socket.send(text)),
    ping: () => whenOpen(() => socket.ping()),
    close: () => socket.close(1000),
    drop: () => socket.terminate(),
  };
}

/** Milliseconds. */
const maxRetryAfter = 3_600_000;

function retryAfterOf(header: string | undefined): Pick<LinkEnd, 'retryAfter'> {
  const seconds = Number(header ?? Number.NaN);
  return seconds > 0 ? { retryAfter: Math.min(seconds * 1000, maxRetryAfter) } : {};
}

function connectTls(
  identity: Identity,
  checkHost: boolean,
  memory: LinkMemory,
  { lookup, connectTimeout, proven }: LinkNetwork,
  wrongHost: () => void,
): TLSSocket {
  const { server, port } = identity;
  const socket = tlsConnect({
    host: server,
    port,
    ...(lookup === undefined ? {} : { lookup }),
    servername: isIP(server) === 0 ? server : '',
    secureContext: memory.context,
    session: memory.session,
    rejectUnauthorized: true,
    checkServerIdentity: (_host, certificate) => {
      if (!checkHost || certificateNames(server, certificate)) return undefined;
      wrongHost();
      return new Error('the certificate names another host');
    },
  });
  socket.on('session', (session) => {
    memory.session = session;
  });
  if (proven !== undefined) {
    socket.once('secureConnect', () => {
      if (isIP(server) === 0 && socket.remoteAddress !== undefined) proven(server, socket.remoteAddress);
    });
  }
  if (connectTimeout !== undefined) limitConnect(socket, isIP(server) !== 0, connectTimeout);
  return socket;
}

function limitConnect(socket: TLSSocket, resolved: boolean, limit: number): void {
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    timer = setTimeout(() => socket.destroy(new Error(`connecting timed out after ${limit / 1000} s`)), limit);
  };
  const stop = () => clearTimeout(timer);
  if (resolved) start();
  else socket.once('lookup', start);
  socket.once('connect', stop);
  socket.once('close', stop);
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
