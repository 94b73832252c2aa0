import { once } from 'node:events';
import http2, { type ServerHttp2Stream } from 'node:http2';
import { connect as dial } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import {
  readRttyFromServer,
  remoteHeaders,
  remoteLine,
  remotePaths,
  remoteProtocols,
  rttyDevice,
  rttyLimits,
  splitRtty,
} from '@yunxun/contract/device';
import type { Identity } from '../lib/device.ts';

/** The terminal of a double, which echoes. */
export interface Shell {
  /** Agents heed flow control, rtty has none. */
  kind: 'rtty' | 'agent';
  print(bytes: Buffer): void;
  readonly unsent: number;
}

interface Asked {
  port: number;
  id: string;
  token: string;
}

const sid = 1;
const prompt = Buffer.from('login: ');

async function dialRelay({ context }: Identity, port: number, protocol?: string): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: 'localhost',
    secureContext: context,
    ...(protocol && { ALPNProtocols: [protocol] }),
  });
  await once(socket, 'secureConnect');
  socket.setNoDelay();
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Joins as the rtty of an access point; its terminal is among `shells` while it is open. */
export async function joinByRtty(identity: Identity, asked: Asked, shells: Set<Shell>): Promise<void> {
  const socket = await dialRelay(identity, asked.port);
  const beat = setInterval(() => socket.write(rttyDevice.heartbeat()), rttyLimits.heartbeat);
  let rest: Uint8Array = new Uint8Array();
  const shell: Shell = {
    kind: 'rtty',
    print: (bytes) => void socket.write(rttyDevice.data(sid, bytes)),
    get unsent() {
      return socket.writableLength;
    },
  };
  socket.once('close', () => {
    clearInterval(beat);
    shells.delete(shell);
  });
  socket.on('data', (chunk: Buffer) => {
    const split = splitRtty(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
    if (!split) throw new Error('not a frame of rtty');
    rest = split.rest;
    for (const frame of split.frames) {
      const message = readRttyFromServer(frame);
      if (message?.type === 'register' && message.error !== null) throw new Error(message.error);
      if (message?.type === 'data') socket.write(rttyDevice.data(sid, message.data));
      if (message?.type !== 'login') continue;
      socket.write(Buffer.concat([rttyDevice.login(sid), rttyDevice.data(sid, prompt)]));
      shells.add(shell);
    }
  });
  socket.write(rttyDevice.register(asked.id, 'ap', asked.token));
}

/** Joins as the agent of a gateway; all connections lead to the port of `site`. */
export async function joinAsAgent(
  identity: Identity,
  { port, id, token }: Asked,
  site: number,
  shells: Set<Shell>,
): Promise<void> {
  const socket = await dialRelay(identity, port, remoteProtocols.agent);
  socket.write(remoteLine({ session: id, token }));
  const [first] = (await once(socket, 'data')) as [Buffer];
  const end = first.indexOf(10);
  const line = first.subarray(0, end).toString();
  if (!line.includes('ok')) throw new Error(line);
  if (end + 1 < first.length) socket.unshift(first.subarray(end + 1));
  const server = http2.createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (headers[':method'] === 'CONNECT') reach(stream, site);
    else if (headers[':path'] === remotePaths.shell) openShell(stream, shells);
    else stream.respond({ ':status': 204 }, { endStream: true });
  });
  server.emit('connection', socket);
}

function openShell(stream: ServerHttp2Stream, shells: Set<Shell>): void {
  const shell: Shell = {
    kind: 'agent',
    print: (bytes) => void (stream.writable && stream.write(bytes)),
    get unsent() {
      return stream.writableLength;
    },
  };
  shells.add(shell);
  stream.once('close', () => shells.delete(shell));
  stream.respond({ ':status': 200, [remoteHeaders.shell]: '1' });
  stream.write(prompt);
  stream.on('data', (chunk: Buffer) => stream.write(chunk));
}

function reach(stream: ServerHttp2Stream, port: number): void {
  const target = dial({ host: '127.0.0.1', port, noDelay: true }, () => {
    stream.respond({ ':status': 200 });
    stream.pipe(target).pipe(stream);
  });
  target.on('error', () => stream.close());
  stream.once('close', () => target.destroy());
}
