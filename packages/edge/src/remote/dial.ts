import { isIP, type LookupFunction } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import {
  type EdgeRemoteParams,
  readRemoteWelcome,
  remoteLimits,
  remoteLine,
  remoteProtocols,
} from '@yunxun/contract/device';
import type { Identity } from '../enrol.ts';
import { certificateNames } from '../host-name.ts';

export interface DialOptions {
  identity: Pick<Identity, 'ca' | 'certificate' | 'key'>;
  request: Pick<EdgeRemoteParams, 'server' | 'port' | 'session' | 'token'>;
  lookup?: LookupFunction | undefined;
  /** Default true. */
  checkHost?: boolean | undefined;
  signal: AbortSignal;
}

/**
 * Connects to the relay and exchanges the two lines. The socket is paused; bytes after the relay's line are unread.
 * @throws with the reason
 */
export function dial({ identity, request, lookup, checkHost = true, signal }: DialOptions): Promise<TLSSocket> {
  const { server, port, session, token } = request;
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({
      host: server,
      port,
      ...(lookup === undefined ? {} : { lookup }),
      servername: isIP(server) === 0 ? server : '',
      ca: identity.ca,
      cert: identity.certificate,
      key: identity.key,
      minVersion: 'TLSv1.2',
      ALPNProtocols: [remoteProtocols.agent],
      checkServerIdentity: (_host, certificate) =>
        !checkHost || certificateNames(server, certificate)
          ? undefined
          : new Error('the certificate of the relay names another host'),
    });
    const timer = setTimeout(() => fail(new Error('the relay does not answer')), remoteLimits.lineWait);
    const aborted = () => fail(new Error('the session was ended'));
    const closed = () => fail(new Error('the relay closed the connection'));
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      socket.off('error', fail).off('close', closed).off('data', read);
      socket.on('error', () => {});
    };
    function fail(error: Error): void {
      settle();
      socket.destroy();
      reject(error);
    }
    let line: Buffer = Buffer.alloc(0);
    function read(part: Buffer): void {
      line = Buffer.concat([line, part]);
      const end = line.indexOf(0x0a);
      if (end < 0 && line.length < remoteLimits.lineBytes) return;
      const refused = readRemoteWelcome(line.subarray(0, Math.max(end, 0)).toString('utf8'));
      if (refused !== null) {
        fail(new Error(refused));
        return;
      }
      settle();
      socket.pause();
      if (line.length > end + 1) socket.unshift(line.subarray(end + 1));
      resolve(socket);
    }
    socket.on('error', fail).on('close', closed).on('data', read);
    signal.addEventListener('abort', aborted);
    socket.once('secureConnect', () => {
      if (socket.alpnProtocol === remoteProtocols.agent) socket.write(remoteLine({ session, token }));
      else fail(new Error('the relay speaks another protocol'));
    });
    if (signal.aborted) aborted();
  });
}
