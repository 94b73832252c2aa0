import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Starts the handshake of a connection only when its first bytes are here. Node reads into a buffer of 64 KiB that it
 * then keeps for as long as the connection lives; one that is handed bytes which were read already begins with a
 * buffer of their size and grows to 16 KiB, which is as much as a TLS record holds. A connection that says nothing is
 * cut after `patience` milliseconds.
 */
export function handshakeAfterFirstBytes(server: Server, patience: number): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const cut = setTimeout(() => socket.destroy(), patience);
    cut.unref();
    // what is kept for a connection is kept as long as it lives: nothing of the wait is left behind
    const stopWaiting = () => {
      clearTimeout(cut);
      socket.off('error', stopWaiting).off('close', stopWaiting).off('readable', begin);
    };
    const begin = () => {
      stopWaiting();
      // it was closed without a word
      if (socket.readableLength === 0) return void socket.destroy();
      for (const listener of listeners) listener.call(server, socket);
    };
    socket.on('error', stopWaiting).on('close', stopWaiting).on('readable', begin);
  });
}
