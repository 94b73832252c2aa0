import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { RadiusPort, Responder } from './responder.ts';

/** Bytes, while the program is busy. */
const receiveBuffer = 4 * 1024 * 1024;

export interface UdpServer {
  readonly port: number;
  stop(): void;
}

/** @throws the error of the bind */
export async function startUdpServer(
  at: { host: string; port: number },
  kind: RadiusPort,
  respond: Responder,
): Promise<UdpServer> {
  const socket = createSocket({ type: isIPv6(at.host) ? 'udp6' : 'udp4', recvBufferSize: receiveBuffer });
  socket.bind(at.port, at.host);
  try {
    await once(socket, 'listening');
  } catch (error) {
    socket.close();
    throw error;
  }
  // lost answers are asked for again
  socket.on('error', () => undefined);
  socket.on('message', (data, { address, port }) => {
    const from = address.startsWith('::ffff:') ? address.slice(7) : address;
    void respond(kind, data, { kind: 'udp', address: from, port }).then((bytes) => {
      if (bytes) send(socket, bytes, port, address);
    });
  });
  let isOpen = true;
  return {
    port: socket.address().port,
    stop() {
      if (isOpen) socket.close();
      isOpen = false;
    },
  };
}

function send(socket: Socket, bytes: Buffer, port: number, address: string): void {
  try {
    socket.send(bytes, port, address, () => undefined);
  } catch {
    // closed meanwhile
  }
}
