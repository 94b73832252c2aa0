import { isIP, type LookupFunction } from 'node:net';
import { connect } from 'node:tls';
import { edgeReachPath } from '@yunxun/contract/device';
import type { Identity } from '../enrol.ts';
import { certificateNames } from '../host-name.ts';

export type Verdict = { reached: true } | { reached: false; detail: string };

/** Milliseconds, for handshake and answer each. */
const timeout = 5_000;
/** Bytes. */
const longestLine = 1_000;

/**
 * Opens a new TLS connection over the current routes, verifies authority and name, and requests `edgeReachPath`: a
 * session would replace the open one. The port rejects certificates after the handshake, with the reason.
 */
export function reachConsole(identity: Identity, signal?: AbortSignal, lookup?: LookupFunction): Promise<Verdict> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout;
    const socket = connect({
      host: identity.server,
      port: identity.port,
      ...(lookup === undefined ? {} : { lookup }),
      servername: isIP(identity.server) === 0 ? identity.server : '',
      ca: identity.ca,
      cert: identity.certificate,
      key: identity.key,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      checkServerIdentity: (_host, certificate) =>
        certificateNames(identity.server, certificate) ? undefined : new Error('the certificate names another host'),
    });
    const end = (verdict: Verdict) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopped);
      socket.destroy();
      resolve(verdict);
    };
    const stopped = () => end({ reached: false, detail: 'stopped' });
    timer = setTimeout(() => end({ reached: false, detail: 'no answer' }), timeout);
    signal?.addEventListener('abort', stopped);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      timer = setTimeout(() => end({ reached: false, detail: 'no answer' }), timeout);
      socket.write(`GET ${edgeReachPath} HTTP/1.1\r\nhost: console\r\nconnection: close\r\n\r\n`);
    });
    let received = '';
    socket.on('data', (part: Buffer) => {
      received += part.toString('latin1');
      const answered = /^HTTP\/1\.[01] (\d{3})/.exec(received);
      if (answered)
        end(answered[1] === '403' ? { reached: false, detail: 'our certificate is refused' } : { reached: true });
      else if (received.length > longestLine) end({ reached: false, detail: 'the responder is not a console' });
    });
    socket.once('error', (error) => end({ reached: false, detail: error.message }));
    socket.once('close', () => end({ reached: false, detail: 'the console hung up' }));
    if (signal?.aborted) stopped();
  });
}

export async function reachConsoleWithin(
  identity: Identity,
  within: number,
  pause = 500,
  signal?: AbortSignal,
  lookup?: LookupFunction,
): Promise<Verdict> {
  const over = performance.now() + within;
  let last: Verdict = { reached: false, detail: 'no answer' };
  for (;;) {
    const left = over - performance.now();
    const limit = AbortSignal.timeout(Math.max(1, Math.ceil(left)));
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const verdict = await reachConsole(identity, either, lookup);
    // the time limit gives no reason
    if (verdict.reached || !limit.aborted) last = verdict;
    if (verdict.reached || signal?.aborted || over - performance.now() <= pause) return last;
    await new Promise((turn) => setTimeout(turn, pause));
  }
}
