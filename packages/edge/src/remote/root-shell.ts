import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { type Duplex, type Readable, Writable } from 'node:stream';
import { asRecord, type RemoteSize, readRemoteSize, remoteLimits } from '@yunxun/contract/device';
import { drained } from './drained.ts';
import { refusal } from './file-action.ts';
import { type FileAction, readFileRequest } from './file-request.ts';
import { type OpenTerminal, openTerminal, type Terminal } from './terminal.ts';

const idleMs = 1_000;
/** Two of files with each terminal. */
const maxConnections = 3 * remoteLimits.perDevice;

/** The agent has no rights for a login: a connection to this socket starts root's own agent. */
export const shellUnits = {
  'yunxun-edge-shell.socket': `[Unit]
Description=Login prompts, asked for by the Yunxun edge agent

[Socket]
ListenStream=/run/yunxun-edge-root/shell
SocketUser=yunxun-edge
SocketMode=0600
DirectoryMode=0755
RemoveOnStop=yes

[Install]
WantedBy=sockets.target
`,
  /** Its end ends every process of the logins. */
  'yunxun-edge-shell.service': `[Unit]
Description=Login prompts, asked for by the Yunxun edge agent

[Service]
ExecStart=/usr/lib/yunxun-edge/shell
TimeoutStopSec=5
`,
} as const;

export const shellScript = `#!/bin/sh
exec "\${YUNXUN_EDGE_NODE:-node}" --max-old-space-size=64 --no-warnings /usr/lib/yunxun-edge/yunxun-edge.mjs shell
`;

/**
 * From the agent: type u8, length u16, body. To the agent: output alone. A connection begins with `size`, for a
 * terminal, which `name` may then name; or with `file`, a request in JSON with the name of such a terminal.
 */
const types = { keys: 0, size: 1, name: 2, file: 3 } as const;
const nameForm = /^[0-9a-f]{32}$/;
const pieceBytes = 16 * 1024;

function frame(type: number, body: Buffer): Buffer {
  const head = Buffer.from([type, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, body]);
}

function sizeFrame({ columns, rows }: RemoteSize): Buffer {
  return frame(types.size, Buffer.from([columns >> 8, columns & 255, rows >> 8, rows & 255]));
}

function readSize(body: Buffer): RemoteSize | null {
  return body.length === 4 ? readRemoteSize(body.readUInt16BE(0), body.readUInt16BE(2)) : null;
}

/** What one process of root has opened. */
class Terminals {
  readonly #open: OpenTerminal;
  readonly #named = new Map<string, Terminal>();
  #count = 0;

  constructor(open: OpenTerminal) {
    this.#open = open;
  }

  /** Resolves when connection and what it opened have ended. */
  async serve(socket: Duplex): Promise<void> {
    let opened: Terminal | FileAction | null = null;
    let terminal: Terminal | null = null;
    socket.on('error', () => {});
    try {
      for await (const { type, body } of framesOf(socket)) {
        if (opened === null) {
          if (type === types.file) opened = await this.#act(body);
          else opened = terminal = await this.#begin(type, body);
          if (opened === null) return;
          // a closed one does not end the pipe
          opened.output.once('close', () => socket.end()).pipe(socket);
        } else if (type === types.keys) {
          if (!opened.input.write(body)) await drained(opened.input, socket);
        } else if (terminal !== null) this.#tell(terminal, type, body);
      }
    } finally {
      if (terminal !== null) this.#count -= 1;
      for (const [name, one] of this.#named) if (one === terminal) this.#named.delete(name);
      await opened?.close();
      socket.destroy();
    }
  }

  async #begin(type: number, body: Buffer): Promise<Terminal | null> {
    const size = type === types.size ? readSize(body) : null;
    if (size === null || this.#count >= remoteLimits.perDevice) return null;
    this.#count += 1;
    try {
      return await this.#open(size);
    } catch (error) {
      this.#count -= 1;
      throw error;
    }
  }

  #tell(terminal: Terminal, type: number, body: Buffer): void {
    const size = type === types.size ? readSize(body) : null;
    if (size !== null) terminal.resize(size);
    const name = type === types.name ? body.toString('latin1') : '';
    if (nameForm.test(name) && !this.#named.has(name)) this.#named.set(name, terminal);
  }

  async #act(body: Buffer): Promise<FileAction | null> {
    const asked: unknown = JSON.parse(body.toString('utf8'));
    const request = readFileRequest(asked);
    if (request === null) return null;
    const { terminal } = asRecord<{ terminal: unknown }>(asked);
    const found = this.#named.get(String(terminal));
    return found?.files?.(request) ?? refusal(404, 'there is no such shell');
  }
}

/** Resolves when there has been no connection for a second. */
export function serveShells(
  listen: { fd: number } | { path: string } = { fd: 3 },
  open: OpenTerminal = openTerminal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const terminals = new Terminals(open);
    let count = 0;
    const over = () => void server.close(() => resolve());
    let idle = setTimeout(over, idleMs);
    const server = createServer((socket) => {
      clearTimeout(idle);
      count += 1;
      const done = () => {
        count -= 1;
        if (count === 0) idle = setTimeout(over, idleMs);
      };
      terminals.serve(socket).then(done, (error: Error) => {
        process.stderr.write(`${error.message}\n`);
        done();
      });
    });
    server.maxConnections = maxConnections;
    server.once('error', reject);
    server.listen(listen);
  });
}

async function* framesOf(source: AsyncIterable<Buffer>): AsyncGenerator<{ type: number; body: Buffer }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of source) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    while (rest.length >= 3 && rest.length >= 3 + rest.readUInt16BE(1)) {
      const end = 3 + rest.readUInt16BE(1);
      yield { type: rest[0]!, body: rest.subarray(3, end) };
      rest = rest.subarray(end);
    }
  }
}

/** @throws if root's unit does not answer */
export async function openRootTerminal(size: RemoteSize, path: string): Promise<Terminal> {
  const socket = await connectTo(path);
  const name = randomBytes(16).toString('hex');
  socket.write(sizeFrame(size));
  // unknown to a unit of an older version
  socket.write(frame(types.name, Buffer.from(name)));
  return {
    ...overSocket(socket),
    resize(next) {
      if (socket.writable) socket.write(sizeFrame(next));
    },
    async files(request) {
      const second = await connectTo(path);
      second.write(frame(types.file, Buffer.from(JSON.stringify({ ...request, terminal: name }))));
      return overSocket(second);
    },
  };
}

async function connectTo(path: string): Promise<Socket> {
  const socket = createConnection({ path });
  await once(socket, 'connect');
  return socket.on('error', () => {});
}

function overSocket(socket: Socket): { input: Writable; output: Readable; close(): Promise<void> } {
  const input = new Writable({
    write(part: Buffer, _encoding, done) {
      for (let at = 0; at + pieceBytes < part.length; at += pieceBytes)
        socket.write(frame(types.keys, part.subarray(at, at + pieceBytes)));
      const last = part.subarray(Math.floor(Math.max(0, part.length - 1) / pieceBytes) * pieceBytes);
      socket.write(frame(types.keys, last), done);
    },
  });
  input.on('error', () => {});
  return {
    input,
    output: socket,
    async close() {
      if (socket.closed) return;
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    },
  };
}
