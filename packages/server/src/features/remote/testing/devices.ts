import { once } from 'node:events';
import http2 from 'node:http2';
import { connect as dial } from 'node:net';
import type { Writable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { type RttyFromServer, readRttyFromServer, remoteLine, rttyDevice, splitRtty } from '@yunxun/contract/device';
import { eventually } from '../../../../../../tools/eventually.ts';
import type { Identity } from '../../../../test/conformance/device-client.ts';

type Proof = Pick<Identity, 'ca'> & Partial<Pick<Identity, 'key' | 'cert'>>;

export function dialRelay(
  port: number,
  { ca, key, cert }: Proof,
  protocol?: string,
  more: { allowHalfOpen?: boolean; localAddress?: string } = {},
): Promise<TLSSocket> {
  const raw = dial({ host: '127.0.0.1', port, ...more });
  const socket = connect({
    socket: raw,
    ca,
    servername: 'localhost',
    ...(key && cert ? { key, cert } : {}),
    ...(protocol ? { ALPNProtocols: [protocol] } : {}),
  });
  return new Promise((resolve, reject) => {
    raw.once('error', reject);
    socket.once('secureConnect', () => resolve(socket)).once('error', reject);
  });
}

/**
 * Writes until nothing is taken for a while.
 * @returns the number of pieces that were written
 */
export async function fillUntilStuck(to: Writable, piece: Uint8Array): Promise<number> {
  const most = (64 * 1024 * 1024) / piece.length;
  let [sent, before, same] = [0, -1, 0];
  const fill = () => {
    for (; !to.writableNeedDrain && sent < most; sent += 1) to.write(piece);
  };
  to.on('drain', fill);
  fill();
  await eventually(async () => {
    same = sent === before && sent < most ? same + 1 : 0;
    before = sent;
    if (same <= 10) throw new Error(`${sent} of ${most} pieces were taken`);
  });
  to.off('drain', fill);
  return sent;
}

/** Access point with rtty 7.1.4: a shell that echoes. */
export class RttyDouble {
  readonly heard: RttyFromServer[] = [];
  /** Bytes. */
  typed = 0;
  closed = false;
  readonly socket: TLSSocket;

  constructor(socket: TLSSocket) {
    this.socket = socket;
    let rest: Uint8Array = new Uint8Array();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('data', (chunk: Buffer) => {
      const split = splitRtty(Buffer.concat([rest, chunk]))!;
      rest = split.rest;
      for (const frame of split.frames) {
        const message = readRttyFromServer(frame)!;
        this.heard.push(message);
        if (message.type === 'login') {
          socket.write(Buffer.concat([rttyDevice.login(1), rttyDevice.data(1, Buffer.from('login: '))]));
        }
        if (message.type !== 'data') continue;
        this.typed += message.data.length;
        socket.write(rttyDevice.data(1, message.data));
      }
    });
  }

  static async join(port: number, identity: Proof, { id, token }: { id: string; token: string }): Promise<RttyDouble> {
    const device = new RttyDouble(await dialRelay(port, identity));
    device.socket.write(rttyDevice.register(id, 'ap', token));
    return device;
  }

  async registered(): Promise<string | null> {
    const answer = await eventually(async () => {
      const found = this.heard.find((message) => message.type === 'register');
      if (!found) throw new Error('not answered');
      return found as Extract<RttyFromServer, { type: 'register' }>;
    });
    return answer.error;
  }
}

/** RFC 9113, section 4.1. */
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.set([type, flags], 3);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Frames that no agent sends. The relay's first request has stream 1. */
export const oddFrames = {
  ping: frame(6, 1, 0, Buffer.alloc(8)),
  /** Without an error, and with streams left open. */
  leave: frame(7, 0, 0, Buffer.from([127, 255, 255, 255, 0, 0, 0, 0])),
  /** A promised stream of `GET /`, its answer 200, and its end by an error. */
  pushed: Buffer.concat([
    frame(5, 4, 1, Buffer.from([0, 0, 0, 2, 0x82, 0x86, 0x84, 0x41, 1, 0x61])),
    frame(1, 4, 2, Buffer.from([0x88])),
    frame(3, 0, 2, Buffer.from([0, 0, 0, 2])),
  ]),
} as const;

/** Joins as an agent, answers nothing, and keeps its half of the connection open. */
export async function joinSilently(port: number, identity: Proof, hello: { session: string; token: string }) {
  const socket = await dialRelay(port, identity, 'yunxun-remote/1', { allowHalfOpen: true });
  let bytes = 0;
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
  socket.write(remoteLine(hello));
  await eventually(async () => {
    if (bytes === 0) throw new Error('no welcome');
  });
  // settings of its own, and the receipt of the relay's
  socket.write(Buffer.concat([frame(4, 0, 0), frame(4, 1, 0)]));
  return { socket, bytes: () => bytes };
}

/** Agent: a shell that echoes and ends at `exit`, files, and connections to where `reach` leads. */
export class AgentDouble {
  /** Null: an agent without them. */
  files: Map<string, Buffer> | null = new Map();
  /** Uploads under way. */
  under = 0;
  readonly sizes: string[] = [];
  /** Output of the last shell. */
  output: Writable | null = null;
  readonly line: string;
  readonly socket: TLSSocket;
  closed = false;

  private constructor(socket: TLSSocket, line: string) {
    this.socket = socket;
    this.line = line;
    socket.on('close', () => {
      this.closed = true;
    });
  }

  static async join(
    port: number,
    identity: Proof,
    hello: { session: string; token: string },
    reach: (authority: string) => number | null = () => null,
  ): Promise<AgentDouble> {
    const socket = await dialRelay(port, identity, 'yunxun-remote/1');
    socket.on('error', () => undefined);
    socket.write(remoteLine(hello));
    const [first] = (await once(socket, 'data')) as [Buffer];
    const end = first.indexOf(10);
    if (end + 1 < first.length) socket.unshift(first.subarray(end + 1));
    const agent = new AgentDouble(socket, first.subarray(0, end).toString());
    if ('ok' in JSON.parse(agent.line)) agent.#serve(reach);
    return agent;
  }

  #serve(reach: (authority: string) => number | null): void {
    const server = http2.createServer();
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      const path = headers[':path'] ?? '';
      if (headers[':method'] === 'CONNECT') {
        const port = reach(headers[':authority'] ?? '');
        if (port === null) {
          stream.respond({ ':status': 502 });
          return void stream.end('connection refused');
        }
        const target = dial(port, '127.0.0.1', () => {
          stream.respond({ ':status': 200 });
          stream.pipe(target).pipe(stream);
        });
        target.on('error', () => stream.close());
        // as the agent does it
        target.once('close', () => stream.end(() => stream.close()));
        return;
      }
      if (path.startsWith('/shell/1/files/')) return void this.#serveFile(stream, headers, path.split('/').at(-1)!);
      this.sizes.push(`${headers['yunxun-cols']}x${headers['yunxun-rows']}`);
      if (path !== '/shell') {
        stream.respond({ ':status': 204 });
        return void stream.end();
      }
      stream.respond({ ':status': 200, 'yunxun-shell': '1', ...(this.files ? { 'yunxun-files': '1' } : {}) });
      this.output = stream;
      stream.write('box login: ');
      stream.on('data', (chunk: Buffer) => {
        if (chunk.toString().startsWith('exit')) stream.end('bye');
        else stream.write(chunk);
      });
    });
    server.emit('connection', this.socket);
  }

  #serveFile(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, way: string): void {
    const files = this.files ?? new Map<string, Buffer>();
    const path = Buffer.from(String(headers['yunxun-path']), 'base64url').toString();
    const kept = files.get(path);
    const refuse = (status: number, text: string) => {
      stream.respond({ ':status': status });
      stream.end(text);
    };
    if (way === 'list') {
      stream.respond({ ':status': 200 });
      return void stream.end(JSON.stringify({ path, entries: [], more: false }));
    }
    if (way === 'read') {
      if (!kept) return void refuse(404, 'no such file');
      stream.respond({ ':status': 200, 'yunxun-size': String(kept.length) });
      return void stream.end(kept);
    }
    if (kept && headers['yunxun-replace'] !== 'yes') return void refuse(409, 'it exists');
    const chunks: Buffer[] = [];
    this.under += 1;
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('close', () => {
      this.under -= 1;
    });
    stream.once('end', () => {
      const bytes = Buffer.concat(chunks);
      if (bytes.length !== Number(headers['yunxun-size'])) return;
      files.set(path, bytes);
      stream.respond({ ':status': 200 });
      stream.end();
    });
  }
}
