import { hkdfSync, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { deviceLimits, deviceSubprotocol, edgeReachPath } from '@yunxun/contract/device';
import { WebSocketServer } from 'ws';
import type { Authority } from './authority.ts';
import { handshakeAfterFirstBytes } from './first-bytes.ts';
import { identifyPeer, type PeerIdentity, type PeerVerdict } from './peer-identity.ts';
import type { Refusal, RefusalReason } from './refusals.ts';
import { Session } from './session.ts';
import type { Admission, SessionContext } from './session-context.ts';

/** Times of the device port, milliseconds. Tests make them short. */
export interface PortTimes {
  /** A handshake, and then the request after it, may take so long. */
  handshake: number;
  /** The first message must come within this. */
  connect: number;
  /** A device is gone after so long without any frame, pings included. */
  silence: number;
  /** How often sessions are looked at for both. */
  sweep: number;
}

export const portTimes: PortTimes = {
  handshake: 30_000,
  connect: 60_000,
  silence: deviceLimits.offlineAfter,
  sweep: 5000,
};

export interface DevicePortOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  authority: Pick<Authority, 'certificate' | 'server' | 'serverNames'>;
  /** Certificates of further authorities whose devices may come, PEM; each text may hold several. */
  clientCas: readonly string[];
  admission: Admission;
  context: SessionContext;
  times: PortTimes;
}

export interface DevicePort {
  readonly port: number;
  /** Accepts nothing more; open sessions stay. */
  stopListening(): void;
  /** Cuts what is left; until every connection is gone. */
  close(): Promise<void>;
}

/** A device may have so many sessions that are not done with, one of them lost without a word, when too much waits. */
const mostUnfinished = 2;

/**
 * So many connections may wait to be accepted; the kernel takes no more than its `somaxconn`. Those beyond are told so by
 * silence, or by a reset once they believe that they are connected, and come back after seconds.
 */
const backlog = 65_535;

/** A TLS session may be resumed for a day; revocation is asked for on every connection all the same. */
const resumeForSeconds = 86_400;

/** Opens the device port: TLS with client certificates, WebSocket on it, sessions behind that. */
export async function openDevicePort(options: DevicePortOptions): Promise<DevicePort> {
  const { authority, context, times } = options;
  const cas = [authority.certificate, ...options.clientCas];
  const server = createServer({
    key: authority.server.key,
    cert: authority.server.certificate,
    ca: cas,
    requestCert: true,
    // refused by us after the handshake, so that the reason can be told
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    allowPartialTrustChain: true,
    handshakeTimeout: times.handshake,
    // a list would be copied for every connection, into memory that is kept as long as it lives
    ALPNCallback: ({ protocols }) => protocols.find((protocol) => protocol === 'http/1.1'),
    sessionTimeout: resumeForSeconds,
    sessionIdContext: 'yunxun-device',
    ticketKeys: ticketKeys(authority.server.key, cas),
    headersTimeout: times.handshake,
    requestTimeout: times.handshake,
    connectionsCheckingInterval: times.sweep,
  });
  handshakeAfterFirstBytes(server, times.handshake);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // access points pass SSIDs on as the air had them, in whatever encoding
    skipUTF8Validation: true,
    maxPayload: deviceLimits.receiveBytes,
    handleProtocols: (offered) => (offered.has(deviceSubprotocol) ? deviceSubprotocol : false),
  });
  // sockets in the middle of a handshake or an upgrade are in no list of the HTTP server
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  let stopping = false;
  const ourIssuer = new X509Certificate(authority.certificate).subject;
  watchHandshakes(server, options, ourIssuer);

  server.on('request', (request, response) => {
    asked.add(request.socket);
    if (request.method === 'GET' && request.url === edgeReachPath) return void answerReach(options, request, response);
    const serial = verdicts.get(request.socket)?.serial ?? null;
    context.refuse({ ...whoFrom(request.socket), serial, reason: 'not-websocket', detail: null });
    response
      .writeHead(426, { connection: 'close', upgrade: 'websocket' })
      .end('This is the port for devices (WebSocket).\n');
  });
  server.on('upgrade', (request, socket, head) => {
    void upgrade(options, sockets, () => stopping, request, socket, head);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: options.host, backlog }, resolve);
  });
  const sweep = setInterval(() => sweepSessions(context, times), times.sweep);
  sweep.unref();

  return {
    port: (server.address() as AddressInfo).port,
    stopListening() {
      stopping = true;
      server.close();
    },
    async close() {
      clearInterval(sweep);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

/** Keys of the session tickets: the same in every gateway of the installation, others when the trusted authorities change. */
function ticketKeys(serverKey: string, cas: readonly string[]): Buffer {
  return Buffer.from(hkdfSync('sha256', serverKey, cas.join('\n'), 'device session tickets', 48));
}

/** Sockets that asked for something; the others only looked at our certificate. */
const asked = new WeakSet<Duplex>();
/** Who a socket is; read once, while the handshake is fresh. */
const verdicts = new WeakMap<Duplex, PeerVerdict>();

/** Connections that end before they ask for anything tell the most: the device did not like what it saw of us. */
function watchHandshakes(server: Server, options: DevicePortOptions, ourIssuer: string): void {
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const reason = tlsFailure(error.code ?? '');
    if (reason) options.context.refuse({ ...whoFrom(socket), reason, detail: error.code ?? error.message });
    socket.destroy();
  });
  server.on('secureConnection', (socket) => {
    const from = whoFrom(socket);
    socket.on('error', () => socket.destroy());
    const peer = identifyPeer(socket, ourIssuer);
    verdicts.set(socket, peer);
    socket.once('close', () => {
      if (asked.has(socket)) return;
      const dialled = typeof socket.servername === 'string' ? socket.servername.toLowerCase() : '';
      const wrongName = dialled !== '' && !options.authority.serverNames.includes(dialled);
      const reason = wrongName ? 'wrong-name' : 'left-after-handshake';
      options.context.refuse({ ...from, serial: peer.serial, reason, detail: wrongName ? dialled : null });
    });
  });
}

/** What a failed handshake means; null for one that tells nothing (a port scan, a lost connection). */
function tlsFailure(code: string): RefusalReason | null {
  if (/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED)/.test(code))
    return 'server-untrusted';
  if (/UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION|WRONG_VERSION_NUMBER/.test(code)) return 'tls-version';
  return code.startsWith('ERR_SSL') ? 'tls-failed' : null;
}

function whoFrom(socket: { remoteAddress?: string | undefined }): Pick<Refusal, 'address' | 'serial'> {
  return { address: plainAddress(socket.remoteAddress), serial: null };
}

/** `192.0.2.1` for `::ffff:192.0.2.1`. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** Whether who asks would be admitted. Nobody was turned away by it: nothing is written down. */
async function answerReach(
  options: DevicePortOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const peer = verdicts.get(request.socket);
  const answer = (status: number) => response.writeHead(status, { connection: 'close' }).end();
  if (!peer || 'refused' in peer) return void answer(403);
  const verdict = await admit(options, peer, request.socket);
  answer(verdict === null ? 503 : 'refused' in verdict ? 403 : 204);
}

async function upgrade(
  options: DevicePortOptions,
  sockets: WebSocketServer,
  stopping: () => boolean,
  request: IncomingMessage,
  duplex: Duplex,
  head: Buffer,
): Promise<void> {
  const socket = duplex as TLSSocket;
  asked.add(socket);
  socket.on('error', () => socket.destroy());
  const { context } = options;
  const from = whoFrom(socket);
  const no = (status: string, refusal: Omit<Refusal, 'accountId' | 'address'>) => {
    context.refuse({ ...from, ...refusal });
    hangUp(socket, status);
  };
  const peer = verdicts.get(socket);
  if (!peer) return void socket.destroy();
  if ('refused' in peer) return no('403 Forbidden', { serial: peer.serial, reason: peer.refused, detail: peer.detail });
  const path = (request.url ?? '/').split('?')[0];
  if (path !== '/')
    return no('404 Not Found', { serial: peer.serial, reason: 'wrong-path', detail: path?.slice(0, 100) ?? null });
  const later = (why: 'database' | 'behind' | 'stopping') => {
    context.metrics.deferred.inc({ why });
    hangUp(socket, '503 Service Unavailable\r\nretry-after: 10');
  };
  // each session may have its share waiting, also when it has ended: devices that come and go would fill the memory
  if (context.room.full && context.registry.openOf(peer.serial).length >= mostUnfinished) return later('behind');
  const verdict = await admit(options, peer, socket);
  if (!verdict) return later('database');
  if (stopping()) return later('stopping');
  if ('refused' in verdict) return no('403 Forbidden', { serial: peer.serial, reason: verdict.refused, detail: null });
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    new Session(context, webSocket, peer, verdict.accountId, from.address);
  });
}

/** The database's word on a peer; null when it cannot be asked, or nobody waits for it: the device shall come again. */
async function admit({ admission, context }: DevicePortOptions, peer: PeerIdentity, socket: Duplex) {
  try {
    return await context.lane.run('arrival', async () => (socket.destroyed ? null : admission.admit(peer)));
  } catch (error) {
    context.log.error({ err: error, serial: peer.serial }, 'device could not be admitted');
    return null;
  }
}

/** Looks for sessions that have been silent, or never began. */
function sweepSessions({ clock, registry }: SessionContext, times: PortTimes): void {
  const now = clock.now().getTime();
  for (const session of registry.open()) session.check(now, times);
}

/** Says no and hangs up, also on a peer that keeps its own half open. */
function hangUp(socket: TLSSocket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  const cut = setTimeout(() => socket.destroy(), 1000);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}
