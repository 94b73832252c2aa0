import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { type Duplex, Writable } from 'node:stream';
import { type RemoteSize, readRemoteSize, remoteLimits } from '@yunxun/contract/device';
import { type OpenTerminal, openTerminal, type Terminal } from './terminal.ts';

/** Milliseconds. */
const idleMs = 1_000;

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

/** From the agent: type u8, length u16, body. To the agent: output alone. */
const types = { keys: 0, size: 1 } as const;
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

/** Resolves when terminal and connection have ended. */
export async function serveTerminal(socket: Duplex, open: OpenTerminal = openTerminal): Promise<void> {
  let terminal: Terminal | null = null;
  socket.on('error', () => {});
  try {
    for await (const { type, body } of framesOf(socket)) {
      const size = type === types.size ? readSize(body) : null;
      if (terminal === null) {
        if (size === null) return;
        terminal = await open(size);
        terminal.output.pipe(socket);
      } else if (size !== null) terminal.resize(size);
      else if (type === types.keys && !terminal.input.write(body)) await drained(terminal.input);
    }
  } finally {
    await terminal?.close();
    socket.destroy();
  }
}

/** Resolves when there has been no connection for a second. */
export function serveShells(
  listen: { fd: number } | { path: string } = { fd: 3 },
  open: OpenTerminal = openTerminal,
): Promise<void> {
  return new Promise((resolve, reject) => {
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
      serveTerminal(socket, open).then(done, (error: Error) => {
        process.stderr.write(`${error.message}\n`);
        done();
      });
    });
    server.maxConnections = remoteLimits.perDevice;
    server.once('error', reject);
    server.listen(listen);
  });
}

function drained(input: Writable): Promise<void> {
  return new Promise((resolve) => {
    const next = () => {
      input.off('drain', next).off('close', next);
      resolve();
    };
    if (input.destroyed) resolve();
    else input.on('drain', next).on('close', next);
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
  const socket = createConnection({ path });
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(sizeFrame(size));
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
    resize(next) {
      if (socket.writable) socket.write(sizeFrame(next));
    },
    async close() {
      if (socket.closed) return;
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    },
  };
}
