import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import type { Clock } from '../clock.ts';

export interface ListenerOptions {
  make(): Server;
  port: number;
  clock: Clock;
  isWanted(): boolean;
  log(line: string): void;
}

/** Milliseconds until a taken port is retried. */
const portAgain = 5000;

export function createListener({ make, port, clock, isWanted, log }: ListenerOptions) {
  let server: Server | null = null;

  function listen(): void {
    const own = make();
    server = own;
    own.on('error', (error) => {
      log(`captive: ${error.message}`);
      if (server === own) server = null;
      clock.after(portAgain, align);
    });
    own.listen(port, '0.0.0.0');
  }

  function close(): void {
    server?.close();
    if (server && 'closeAllConnections' in server) (server as HttpServer).closeAllConnections();
    server = null;
  }

  function align(): void {
    if (!isWanted()) close();
    else if (server === null) listen();
  }

  return { align, close };
}
