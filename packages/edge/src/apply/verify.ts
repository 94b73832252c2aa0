import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Identity } from '../enrol.ts';
import { certificateNames } from '../host-name.ts';

/** Whether the console answered, and if not, why. */
export type Verdict = { reached: true } | { reached: false; detail: string };

/** How long one handshake may take, in milliseconds. */
const handshakeTimeout = 5_000;
/** A console that takes our certificate gives a ticket at once; one that gives none has this long to refuse us. */
const refusalTime = 1_500;

/**
 * Opens one new TLS connection to the console, by whatever way the kernel chooses now: handshake, the enrolled authority,
 * the enrolled name, our certificate. Nothing is asked over it: a second session would take over the first. Under
 * TLS 1.3 a client hears of its certificate's refusal only after its own side of the handshake is done.
 */
export function reachConsole(identity: Identity, signal?: AbortSignal): Promise<Verdict> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout;
    const socket = connect({
      host: identity.server,
      port: identity.port,
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
    timer = setTimeout(() => end({ reached: false, detail: 'no answer' }), handshakeTimeout);
    signal?.addEventListener('abort', stopped);
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      timer = setTimeout(() => end({ reached: true }), refusalTime);
    });
    socket.once('session', () => {
      // under TLS 1.2 the ticket comes before the handshake's end
      if (socket.authorized) end({ reached: true });
    });
    socket.once('error', (error) => end({ reached: false, detail: error.message }));
    socket.once('close', () => end({ reached: false, detail: 'the console hung up' }));
    if (signal?.aborted) stopped();
  });
}

/** Tries until the console answers or the time is over; the last word of a failure is kept. Times in milliseconds. */
export async function reachConsoleWithin(
  identity: Identity,
  within: number,
  pause = 500,
  signal?: AbortSignal,
): Promise<Verdict> {
  const over = performance.now() + within;
  let last: Verdict = { reached: false, detail: 'no answer' };
  for (;;) {
    const left = over - performance.now();
    const limit = AbortSignal.timeout(Math.max(1, Math.ceil(left)));
    const verdict = await reachConsole(identity, signal === undefined ? limit : AbortSignal.any([signal, limit]));
    // cut short by the end of the time it says nothing new
    if (verdict.reached || !limit.aborted) last = verdict;
    if (verdict.reached || signal?.aborted || over - performance.now() <= pause) return last;
    await new Promise((turn) => setTimeout(turn, pause));
  }
}
