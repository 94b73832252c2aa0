import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/**
 * So many handshakes begin in one turn of the event loop. The server's half of one takes about a millisecond: a thousand
 * devices that come in one moment would hold up everybody else's call by a second, and at every turn that it waits for.
 */
const perTurn = 8;

/**
 * Starts the handshake of a connection only when its first bytes are here, and only a few at once. Node reads into a
 * buffer of 64 KiB that it then keeps for as long as the connection lives; one that is handed bytes which were read
 * already begins with a buffer of their size and grows to 16 KiB, which is as much as a TLS record holds. A connection
 * that says nothing is cut after `patience` milliseconds.
 */
export function handshakeAfterFirstBytes(server: Server, patience: number): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const ready = new Set<() => void>();
  let going = false;
  const goOn = () => {
    let begun = 0;
    for (const begin of ready) {
      if (begun === perTurn) break;
      begun += 1;
      ready.delete(begin);
      begin();
    }
    going = ready.size > 0;
    if (going) setImmediate(goOn);
  };
  server.on('connection', (socket: Socket) => {
    const cut = setTimeout(() => socket.destroy(), patience);
    cut.unref();
    // what is kept for a connection is kept as long as it lives: nothing of the wait is left behind
    const stopWaiting = () => {
      clearTimeout(cut);
      ready.delete(begin);
      socket.off('error', stopWaiting).off('close', stopWaiting).off('readable', heard);
    };
    const heard = () => {
      clearTimeout(cut);
      ready.add(begin);
      if (going) return;
      going = true;
      setImmediate(goOn);
    };
    const begin = () => {
      stopWaiting();
      // it was closed without a word
      if (socket.readableLength === 0) return void socket.destroy();
      for (const listener of listeners) listener.call(server, socket);
    };
    socket.on('error', stopWaiting).on('close', stopWaiting).on('readable', heard);
  });
}
