import type { Socket } from 'node:net';

/** TLS record of a handshake (RFC 8446, section 5.1). */
const handshake = 22;
/** No HTTP method begins with it. */
const mark = 'Y'.charCodeAt(0);
const maxLine = 160;

export interface Opening {
  isTls: boolean;
  /** Of a gateway, unchecked. */
  line: string | null;
}

/** Puts back what belongs to TLS or HTTP. */
export function readRelayLine(socket: Socket, done: (opening: Opening) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  let line: string | null = null;
  const look = () => {
    const part = socket.read() as Buffer | null;
    if (!part) return seen.length === 0 && line === null ? void socket.destroy() : undefined;
    seen = Buffer.concat([seen, part]);
    if (line === null && seen[0] === mark) {
      const end = seen.indexOf('\n');
      if ((end < 0 ? seen.length : end) > maxLine) return void socket.destroy();
      if (end < 0) return;
      line = seen.toString('latin1', 0, end);
      seen = seen.subarray(end + 1);
    }
    if (seen.length === 0) return;
    socket.off('readable', look);
    socket.unshift(seen);
    done({ isTls: seen[0] === handshake, line });
  };
  socket.on('readable', look);
}

const lines = new WeakMap<Socket, string>();

export function keepLine(socket: Socket, line: string): void {
  lines.set(socket, line);
}

export function lineOf(socket: Socket): string | null {
  return lines.get(socket) ?? null;
}
