import { X509Certificate } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import {
  readRemoteHello,
  remoteForms,
  remoteLimits,
  remoteLine,
  remoteProtocols,
  rttyLimits,
  rttyServer,
} from '@yunxun/contract/device';
import { tlsSuites } from '../../../platform/listen.ts';
import type { Log } from '../../../platform/log.ts';
import { type Authority, identifyPeer } from '../../../uplink/index.ts';
import type { RemoteSession } from '../tables.ts';
import { agentLink } from './agent-link.ts';
import { type ClaimDeps, ClaimRefused, claim } from './claim.ts';
import type { DeviceLink } from './device-link.ts';
import { readLine } from './lines.ts';
import { RttyConnection, rttyLink } from './rtty-link.ts';
import { createUnproven } from './unproven.ts';

export interface RelayPortOptions extends ClaimDeps {
  host: string;
  port: number;
  authority: Pick<Authority, 'certificate' | 'server'>;
  clientCas: readonly string[];
  trustedProxies: readonly string[];
  log: Log;
  /** Takes the connection of a device. @throws ClaimRefused when there are too many */
  hold(row: RemoteSession, link: DeviceLink): void;
  joinConsole(socket: TLSSocket, ticket: string): boolean;
}

const maxUnproven = { max: 1000, maxPerAddress: 64 } as const;
const rttyId = new RegExp(`^[0-9a-f]{${rttyLimits.idLength}}$`);
const known: ReadonlySet<string> = new Set(Object.values(remoteProtocols));

export async function openRelayPort(options: RelayPortOptions): Promise<{ port: number; close(): Promise<void> }> {
  const { authority, clientCas, log } = options;
  const ourIssuer = new X509Certificate(authority.certificate).subject;
  const connections = new Set<Socket>();
  const unproven = createUnproven({ ...maxUnproven, trustedProxies: options.trustedProxies });
  const server = createServer({
    key: authority.server.key,
    cert: authority.server.certificate,
    ca: [authority.certificate, ...clientCas],
    requestCert: true,
    // some access points prove themselves by their token
    rejectUnauthorized: false,
    // keys are answered one by one
    noDelay: true,
    ...tlsSuites,
    allowPartialTrustChain: true,
    handshakeTimeout: remoteLimits.lineWait,
    ALPNCallback: ({ protocols }) => protocols.find((protocol) => known.has(protocol)),
  });
  server.on('connection', (socket: Socket) => {
    if (!unproven.enter(socket)) return void socket.destroy();
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy());
    const proven = unproven.leaverOf(socket);
    serve(options, socket, ourIssuer).then(proven, (error: unknown) => {
      const isKnown = error instanceof ClaimRefused;
      log[isKnown ? 'info' : 'warn']({ err: error, address: socket.remoteAddress }, 'remote connection refused');
      socket.destroySoon();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: options.host }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

async function serve(options: RelayPortOptions, socket: TLSSocket, ourIssuer: string): Promise<void> {
  if (socket.alpnProtocol === remoteProtocols.agent) return serveAgent(options, socket, ourIssuer);
  if (socket.alpnProtocol === remoteProtocols.console) {
    if (options.joinConsole(socket, await readLine(socket))) return;
    throw new ClaimRefused('unknown ticket');
  }
  return serveRtty(options, socket, ourIssuer);
}

async function serveAgent(options: RelayPortOptions, socket: TLSSocket, ourIssuer: string): Promise<void> {
  let row: RemoteSession;
  try {
    const hello = readRemoteHello(await readLine(socket));
    if (!hello) throw new ClaimRefused('no hello');
    const { session: id, token } = hello;
    row = await claim(options, identifyPeer(socket, ourIssuer), { id, token, isAgent: true });
    // HTTP/2 takes over the handle, which must have no write in progress
    await new Promise<void>((resolve) => socket.write(remoteLine({ ok: true }), () => resolve()));
    if (socket.destroyed) throw new ClaimRefused('the agent left');
  } catch (error) {
    socket.write(remoteLine({ error: error instanceof ClaimRefused ? error.message : 'internal' }));
    throw error;
  }
  // HTTP/2 writes from here on: a second writer aborts Node
  options.hold(row, agentLink(socket));
}

function serveRtty(options: RelayPortOptions, socket: TLSSocket, ourIssuer: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ClaimRefused('no registration')), remoteLimits.lineWait);
    socket.once('close', () => clearTimeout(timer));
    const connection = new RttyConnection(socket, (message) => {
      clearTimeout(timer);
      // one registration, and nothing before its answer
      connection.handOver(() => socket.destroy());
      if (message.type !== 'register' || !rttyId.test(message.id) || !remoteForms.token.test(message.token))
        return reject(new ClaimRefused('no valid registration'));
      const { id: plain, token } = message;
      const id = plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      claim(options, identifyPeer(socket, ourIssuer), { id, token, isAgent: false })
        .then((row) => {
          connection.send(rttyServer.registered());
          options.hold(row, rttyLink(connection));
        })
        .then(resolve, (error: unknown) => {
          connection.send(rttyServer.registered(error instanceof ClaimRefused ? error.message : 'internal'));
          reject(error as Error);
        });
    });
  });
}
