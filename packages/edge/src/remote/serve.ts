import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { readRemoteSize, remoteFileWays, remoteHeaders, remoteLimits, remotePaths } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import { fileStream } from './file-stream.ts';
import { TargetRefused } from './target.ts';
import type { OpenTerminal, Terminal } from './terminal.ts';

export interface ServeOptions {
  clock: Clock;
  openTerminal: OpenTerminal;
  /** `10.0.0.7:22`. @throws TargetRefused */
  connect(authority: string): Promise<Duplex>;
  allowed(): boolean;
}

/** Milliseconds. A relay that does not answer until the next ping is gone. */
const pingEvery = 20_000;
const maxStreams = 32;
/** RFC 9113, 7. */
const errorCodes = { none: 0, connect: 10 } as const;
const sizePath = new RegExp(`^${remotePaths.shell}/([\\w-]{1,64})/size$`);
const filesPath = new RegExp(`^${remotePaths.shell}/([\\w-]{1,64})/files/(${remoteFileWays.join('|')})$`);

/** Null: being opened. */
type Terminals = Map<string, Terminal | null>;

/** Resolves when the connection and its terminals have ended. */
export async function serveRelay(socket: TLSSocket, options: ServeOptions): Promise<void> {
  // loaded at the first session: it takes memory
  const { createServer } = await import('node:http2');
  const terminals: Terminals = new Map();
  const server = createServer({
    settings: { maxConcurrentStreams: maxStreams, initialWindowSize: remoteLimits.streamWindow },
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  server.on('sessionError', () => socket.destroy());
  server.on('session', (session: ServerHttp2Session) => {
    session.setLocalWindowSize(remoteLimits.window);
    watch(session, socket, options);
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {});
    void answer(stream, headers, terminals, options).catch(() => stream.close(errorCodes.connect));
  });
  if (!socket.destroyed) server.emit('connection', socket);
  if (!socket.closed) await closed;
  await Promise.all([...terminals.values()].map((terminal) => terminal?.close()));
}

function watch(session: ServerHttp2Session, socket: TLSSocket, { clock, allowed }: ServeOptions): void {
  let answered = true;
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(pingEvery, () => {
      if (!answered || !allowed() || session.destroyed) return socket.destroy();
      answered = false;
      session.ping(() => {
        answered = true;
      });
      next();
    });
  };
  next();
  socket.once('close', () => cancel());
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  terminals: Terminals,
  options: ServeOptions,
): Promise<void> {
  const { ':method': method, ':path': path = '', ':authority': authority = '' } = headers;
  if (method === 'CONNECT') return connectStream(stream, String(authority), options);
  const [, named = '', way = ''] = (method === 'POST' && filesPath.exec(String(path))) || [];
  const shell = terminals.get(named);
  if (shell) return fileStream(stream, headers, way, shell, options.clock);
  const size = readRemoteSize(headers[remoteHeaders.columns], headers[remoteHeaders.rows]);
  const sized = terminals.get(sizePath.exec(String(path))?.[1] ?? '');
  const isShell = path === remotePaths.shell;
  if (method !== 'POST' || (!isShell && !sized)) return refuse(stream, 404, 'there is no such shell');
  if (size === null) return refuse(stream, 400, 'the size is not one of a terminal');
  if (!sized) return shellStream(stream, terminals, () => options.openTerminal(size));
  sized.resize(size);
  stream.respond({ ':status': 204 }, { endStream: true });
}

async function shellStream(
  stream: ServerHttp2Stream,
  terminals: Terminals,
  open: () => Promise<Terminal>,
): Promise<void> {
  if (terminals.size >= remoteLimits.perDevice) return refuse(stream, 503, 'too many shells');
  const id = randomUUID();
  let terminal: Terminal;
  terminals.set(id, null);
  try {
    terminal = await open();
  } catch (error) {
    terminals.delete(id);
    return refuse(stream, 503, error instanceof Error ? error.message : String(error));
  }
  terminals.set(id, terminal);
  const close = () =>
    terminal.close().then(
      () => void terminals.delete(id),
      () => void terminals.delete(id),
    );
  if (stream.destroyed) return close();
  stream.once('close', () => void close());
  const served = terminal.files === undefined ? {} : { [remoteHeaders.files]: '1' };
  stream.respond({ ':status': 200, [remoteHeaders.shell]: id, ...served });
  stream.pipe(terminal.input, { end: false });
  sendAll(terminal.output, stream);
}

async function connectStream(stream: ServerHttp2Stream, authority: string, { connect }: ServeOptions): Promise<void> {
  let target: Duplex;
  try {
    target = await connect(authority);
  } catch (error) {
    const status = error instanceof TargetRefused ? error.status : 502;
    return refuse(stream, status, error instanceof Error ? error.message : String(error));
  }
  target.on('error', () => stream.close(errorCodes.connect));
  if (stream.destroyed) return void target.destroy();
  stream.once('close', () => target.destroy());
  stream.respond({ ':status': 200 });
  stream.pipe(target);
  sendAll(target, stream);
}

/** The client may leave its half open. */
function sendAll(source: NodeJS.ReadableStream, stream: ServerHttp2Stream): void {
  source.pipe(stream);
  source.once('close', () => {
    stream.end();
    if (stream.writableFinished) stream.close(errorCodes.none);
    else stream.once('finish', () => stream.close(errorCodes.none));
  });
}

function refuse(stream: ServerHttp2Stream, status: number, reason: string): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': status, 'content-type': 'text/plain; charset=utf-8' });
  stream.end(reason);
}
