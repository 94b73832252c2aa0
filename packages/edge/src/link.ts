import { isIP } from 'node:net';
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import WebSocket from 'ws';
import type { Identity } from './enrol.ts';
import { certificateNames } from './host-name.ts';

/** Why a link ended. `wrong-host`: the certificate is genuine but names another machine. */
export interface LinkEnd {
  kind: 'closed' | 'failed' | 'wrong-host';
  detail: string;
}

/** Who is told what a link does. */
export interface LinkHandlers {
  opened(): void;
  /** A text frame, with its size on the wire in bytes. */
  text(text: string, bytes: number): void;
  /** Anything arrived, pongs and pings included. */
  alive(): void;
  /** While true, pings stay unanswered. */
  hung(): boolean;
  /** Called once. */
  ended(end: LinkEnd): void;
}

/** One WebSocket over mutual TLS. */
export interface Link {
  send(text: string): void;
  ping(): void;
  /** Ends it politely. */
  close(): void;
  /** Cuts it as a lost line would: no close frame. */
  drop(): void;
}

/** What must outlive one link: the TLS context and the ticket that makes the next handshake cheap. */
export interface LinkMemory {
  context?: SecureContext;
  session?: Buffer;
}

const receiveLimit = 16 * 1024 * 1024;

/**
 * Opens `wss://server:port/` with the device's certificate, verifies the chain against the enrolled authority and then,
 * when asked, the name by the firmware's rule. No subprotocol and no compression extension are offered.
 */
export function openLink(identity: Identity, checkHost: boolean, memory: LinkMemory, handlers: LinkHandlers): Link {
  memory.context ??= createSecureContext({
    ca: identity.ca,
    cert: identity.certificate,
    key: identity.key,
    minVersion: 'TLSv1.2',
  });
  let end: LinkEnd | null = null;
  const finish = (kind: LinkEnd['kind'], detail: string) => {
    if (end !== null) return;
    end = { kind, detail };
    handlers.ended(end);
  };
  const socket = new WebSocket(`wss://${bracketed(identity.server)}:${identity.port}/`, {
    perMessageDeflate: false,
    maxPayload: receiveLimit,
    handshakeTimeout: 30_000,
    autoPong: false,
    createConnection: () => connectTls(identity, checkHost, memory, () => finish('wrong-host', identity.server)),
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
  socket.on('error', (error) => finish('failed', error.message));
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

function connectTls(identity: Identity, checkHost: boolean, memory: LinkMemory, wrongHost: () => void): TLSSocket {
  const socket = tlsConnect({
    host: identity.server,
    port: identity.port,
    servername: isIP(identity.server) === 0 ? identity.server : '',
    secureContext: memory.context,
    session: memory.session,
    rejectUnauthorized: true,
    checkServerIdentity: (_host, certificate) => {
      if (!checkHost || certificateNames(identity.server, certificate)) return undefined;
      wrongHost();
      return new Error('the certificate names another host');
    },
  });
  socket.on('session', (session) => {
    memory.session = session;
  });
  return socket;
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
