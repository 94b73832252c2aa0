import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/** Each blocks the loop for about 1 ms. */
const perTurn = 8;

/**
 * Saves Node's 64 KiB read buffer per connection: given bytes already read, it starts small and grows to 16 KiB, a TLS
 * record. Closes silent connections after `timeout` milliseconds.
 */
export function handshakeAfterFirstBytes(server: Server, timeout: number): void {
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
    const cut = setTimeout(() => socket.destroy(), timeout);
    cut.unref();
    // listeners live as long as the connection
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
      if (socket.readableLength === 0) return void socket.destroy();
      for (const listener of listeners) listener.call(server, socket);
    };
    socket.on('error', stopWaiting).on('close', stopWaiting).on('readable', heard);
  });
}
