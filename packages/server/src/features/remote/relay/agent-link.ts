import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type RemoteSize, remoteHeaders, remoteLimits, remotePaths, remoteSizePath } from '@yunxun/contract/device';
import { agentFiles } from './agent-files.ts';
import { type DeviceLink, type Terminal, Unreachable } from './device-link.ts';
import { refusingFiles } from './files.ts';

/** Milliseconds between signs of life, and the wait for an answer. */
const ping = { every: 15_000, within: 10_000 } as const;
const detailBytes = 200;

/** HTTP/2 with the agent as the server (RFC 9113, prior knowledge), over its own connection. */
export function agentLink(socket: TLSSocket): DeviceLink {
  // a pushed stream would have no error handler
  const session = connect('http://agent', {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: remoteLimits.streamWindow },
  });
  session.once('connect', () => session.setLocalWindowSize(remoteLimits.window));
  session.on('error', () => socket.destroy());
  // after a GOAWAY, `destroy` waits for the other end
  const close = () => {
    session.destroy();
    socket.destroy();
  };
  const stopPings = keepAlive(session, close);
  session.once('close', () => {
    stopPings();
    socket.destroy();
  });
  return {
    async openShell(size) {
      const stream = session.request({ ':method': 'POST', ':path': remotePaths.shell, ...sizeHeaders(size) });
      const answer = await answered(stream);
      const id = String(answer[remoteHeaders.shell] ?? '');
      // an older agent answers all paths of files as it answers for a file that is not there
      const files = answer[remoteHeaders.files] === '1' ? agentFiles(session, id) : refusingFiles('agent');
      return { stream, resize: (next) => resize(session, id, next), files } satisfies Terminal;
    },
    async connect(host, port): Promise<Duplex> {
      const stream = session.request({ ':method': 'CONNECT', ':authority': `${host}:${port}` });
      await answered(stream);
      return plainStream(stream);
    },
    onClose(handle) {
      if (session.closed || session.destroyed) handle();
      else session.once('close', handle);
    },
    close,
  };
}

/** What HTTP agents ask of a connection that they keep. */
const socketOptions = {
  setKeepAlive: () => undefined,
  setNoDelay: () => undefined,
  setTimeout: () => undefined,
  ref: () => undefined,
  unref: () => undefined,
};

/**
 * A stream whose writes are buffers, one at a time: HTTP/1.1 writes strings and buffers together, and of those Node's
 * HTTP/2 sends memory that it has freed.
 */
function plainStream(stream: ClientHttp2Stream): Duplex {
  let isRead = false;
  const plain = new Duplex({
    allowHalfOpen: false,
    read: () => void stream.resume(),
    write: (chunk: Buffer, _encoding, done) => void (stream.writable ? stream.write(chunk, () => done()) : done()),
    final: (done) => void (stream.writable ? stream.end(() => done()) : done()),
    destroy(error, done) {
      stream.close();
      done(error);
    },
  });
  stream.on('data', (chunk: Buffer) => {
    if (!plain.push(chunk)) stream.pause();
  });
  stream.once('end', () => {
    isRead = true;
    plain.push(null);
  });
  stream.once('error', (error) => plain.destroy(error));
  // what has arrived is still to be read
  stream.once('close', () => void (isRead ? plain.end() : plain.destroy()));
  stream.pause();
  return Object.assign(plain, socketOptions);
}

const sizeHeaders = ({ columns, rows }: RemoteSize) => ({
  [remoteHeaders.columns]: String(columns),
  [remoteHeaders.rows]: String(rows),
});

function resize(session: ClientHttp2Session, id: string, size: RemoteSize): void {
  if (session.closed || session.destroyed || id === '') return;
  const request = session.request({ ':method': 'POST', ':path': remoteSizePath(id), ...sizeHeaders(size) });
  request.on('error', () => undefined).resume();
  request.end();
}

/** @throws Unreachable with the agent's reason */
function answered(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      stream.close();
      reject(new Unreachable(reason));
    };
    const timer = setTimeout(() => fail('no answer'), remoteLimits.connectWait + remoteLimits.lineWait);
    stream.on('error', (error) => fail(error.message));
    stream.once('close', () => fail('the connection ended'));
    stream.once('response', (headers) => {
      if (headers[':status'] === 200) {
        clearTimeout(timer);
        resolve(headers);
        return;
      }
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text = (text + chunk.toString()).slice(0, detailBytes);
      });
      stream.once('end', () => fail(text || `refused (${headers[':status']})`));
    });
  });
}

function keepAlive(session: ClientHttp2Session, give: () => void): () => void {
  let wait: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (session.destroyed) return;
    wait ??= setTimeout(give, ping.within).unref();
    const isSent = session.ping((error) => {
      clearTimeout(wait);
      wait = undefined;
      if (error) give();
    });
    if (!isSent) give();
  }, ping.every);
  timer.unref();
  return () => {
    clearInterval(timer);
    clearTimeout(wait);
  };
}
