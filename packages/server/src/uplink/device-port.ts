import { hkdfSync, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { deviceLimits, deviceSubprotocol, edgeReachPath, unboundStatus } from '@yunxun/contract/device';
import { WebSocketServer } from 'ws';
import { tlsSuites } from '../platform/listen.ts';
import type { Authority } from './authority.ts';
import { handshakeAfterFirstBytes } from './first-bytes.ts';
import { identifyPeer, type PeerIdentity, type PeerVerdict } from './peer-identity.ts';
import type { Refusal, RefusalReason } from './refusals.ts';
import { hostOf, isWrongName, sniOf } from './server-name.ts';
import { Session } from './session.ts';
import type { SessionContext } from './session-context.ts';
import { heldOff } from './shared-certificate.ts';

/** Milliseconds. */
export interface PortTimes {
  handshake: number;
  connect: number;
  silence: number;
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
  /** 0: any free port. */
  port: number;
  authority: Pick<Authority, 'certificate' | 'server' | 'serverNames'>;
  /** Additional authorities, PEM, several per text. */
  clientCas: readonly string[];
  context: SessionContext;
  times: PortTimes;
}

export interface DevicePort {
  readonly port: number;
  stopListening(): void;
  close(): Promise<void>;
}

/** Per device under load; one may be a lost connection. */
const maxUnfinished = 2;

/** Capped by the kernel's `somaxconn`. */
const backlog = 65_535;

const heldOffSeconds = 600;

/** Of TLS tickets; revocation is checked per connection. */
const resumeForSeconds = 86_400;

export async function openDevicePort(options: DevicePortOptions): Promise<DevicePort> {
  const { authority, context, times } = options;
  const cas = [authority.certificate, ...options.clientCas];
  const server = createServer({
    key: authority.server.key,
    cert: authority.server.certificate,
    ca: cas,
    requestCert: true,
    // after the handshake, to log the reason
    rejectUnauthorized: false,
    ...tlsSuites,
    allowPartialTrustChain: true,
    handshakeTimeout: times.handshake,
    // a list would be copied per connection
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
    // SSIDs may have any encoding
    skipUTF8Validation: true,
    maxPayload: deviceLimits.receiveBytes,
    handleProtocols: (offered) => (offered.has(deviceSubprotocol) ? deviceSubprotocol : false),
  });
  // the HTTP server omits sockets in handshake or upgrade
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
    context.refuse({ ...senderOf(request.socket), serial, reason: 'not-websocket', detail: null });
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

/** Derives keys that all gateways share; they change with the trusted authorities. */
function ticketKeys(serverKey: string, cas: readonly string[]): Buffer {
  return Buffer.from(hkdfSync('sha256', serverKey, cas.join('\n'), 'device session tickets', 48));
}

/** Sockets that sent a request. */
const asked = new WeakSet<Duplex>();
const verdicts = new WeakMap<Duplex, PeerVerdict>();

/** Logs connections without a request: the device rejected our certificate. */
function watchHandshakes(server: Server, options: DevicePortOptions, ourIssuer: string): void {
  const { serverNames } = options.authority;
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const dialled = { sni: sniOf(socket), host: null };
    const reason = tlsFailure(error.code ?? '', isWrongName(serverNames, dialled));
    if (reason) options.context.refuse({ ...senderOf(socket), reason, detail: error.code ?? error.message, dialled });
    socket.destroy();
  });
  server.on('secureConnection', (socket) => {
    const from = senderOf(socket);
    socket.on('error', () => socket.destroy());
    const peer = identifyPeer(socket, ourIssuer);
    verdicts.set(socket, peer);
    socket.once('close', () => {
      if (asked.has(socket)) return;
      const dialled = { sni: sniOf(socket), host: null };
      const reason = isWrongName(serverNames, dialled) ? 'wrong-name' : 'left-after-handshake';
      options.context.refuse({ ...from, serial: peer.serial, reason, detail: null, dialled });
    });
  });
}

/** When full, a new connection takes the oldest of the address with most, so none shuts out others. */
function tlsFailure(code: string, wrongName: boolean): RefusalReason | null {
  if (/ALERT_(UNKNOWN_CA|CERTIFICATE_UNKNOWN|DECRYPT_ERROR)/.test(code)) return 'server-untrusted';
  if (/ALERT_CERTIFICATE_EXPIRED/.test(code)) return 'clock-ahead';
  if (/ALERT_BAD_CERTIFICATE/.test(code)) return wrongName ? 'wrong-name' : 'clock-behind';
  if (/UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION|WRONG_VERSION_NUMBER/.test(code)) return 'tls-version';
  return code.startsWith('ERR_SSL') ? 'tls-failed' : null;
}

function senderOf(socket: { remoteAddress?: string | undefined }): Pick<Refusal, 'address' | 'serial'> {
  return { address: plainAddress(socket.remoteAddress), serial: null };
}

/** Returns `192.0.2.1` for `::ffff:192.0.2.1`. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** Answers whether a device would be admitted; logs no refusal. */
async function answerReach(
  options: DevicePortOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const peer = verdicts.get(request.socket);
  const answer = (status: number) => void response.writeHead(status, { connection: 'close' }).end();
  if (!peer || 'refused' in peer) return answer(403);
  const verdict = await admit(options, peer, request.socket);
  if (verdict === null) answer(503);
  else if ('refused' in verdict) answer(verdict.refused === 'unbound' ? unboundStatus : 403);
  else answer('heldOff' in verdict ? 403 : 204);
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
  const from = senderOf(socket);
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
    // A stopping console is replaced within seconds; 10 s would be late.
    hangUp(socket, `503 Service Unavailable\r\nretry-after: ${why === 'stopping' ? 1 : 10}`);
  };
  // ended sessions hold memory, which reconnecting devices could fill
  if (context.capacity.full && context.registry.openOf(peer.serial).length >= maxUnfinished) return later('behind');
  const verdict = await admit(options, peer, socket);
  if (!verdict) return later('database');
  if (stopping()) return later('stopping');
  if ('refused' in verdict) {
    const status = verdict.refused === 'unbound' ? `${unboundStatus} Gone` : '403 Forbidden';
    return no(status, { serial: peer.serial, reason: verdict.refused, detail: null });
  }
  if ('heldOff' in verdict)
    return no(`503 Service Unavailable\r\nretry-after: ${heldOffSeconds}`, heldOff(peer.serial, verdict.heldOff));
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    const dialled = { sni: sniOf(socket), host: hostOf(request) };
    const session = new Session(context, webSocket, { peer, ...verdict, address: from.address });
    session.whenLeftUnsaid = () => {
      const reason = isWrongName(options.authority.serverNames, dialled) ? 'wrong-name' : 'left-after-upgrade';
      context.refuse({ ...from, serial: peer.serial, reason, detail: null, dialled });
    };
  });
}

/** Returns null if the database fails or the socket is gone; the device retries. */
async function admit({ context }: DevicePortOptions, peer: PeerIdentity, socket: Duplex) {
  try {
    return await context.limiter.run('arrival', async () => {
      if (socket.destroyed) return null;
      const verdict = await context.admission.admit(peer);
      if ('refused' in verdict || !verdict.shared) return verdict;
      const device = { accountId: verdict.accountId, serial: peer.serial };
      const fingerprints = await context.sharing.heldOffAt(
        device,
        senderOf(socket as TLSSocket).address,
        context.clock.now(),
      );
      return fingerprints ? { heldOff: fingerprints } : verdict;
    });
  } catch (error) {
    context.log.error({ err: error, serial: peer.serial }, 'device could not be admitted');
    return null;
  }
}

function sweepSessions({ clock, registry }: SessionContext, times: PortTimes): void {
  const now = clock.now().getTime();
  for (const session of registry.open()) session.check(now, times);
}

/** Closes even if the peer keeps its half open. */
function hangUp(socket: TLSSocket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  const cut = setTimeout(() => socket.destroy(), 1000);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}
