import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { addressKey } from '../../platform/http/address.ts';

export interface ConnectionLimitOptions {
  trustedProxies: readonly string[];
  /** An agent opens 500 at most, and some share an address. */
  maxPerAddress?: number;
  maxConnections?: number;
}

/**
 * Uses a valid code up. Wrong guesses count against all valid ones.
 * @returns whether it fits
 */
export function createConnectionLimits(options: ConnectionLimitOptions) {
  const { trustedProxies, maxPerAddress = 1000, maxConnections = 5000 } = options;
  // as the servers read the setting
  const isProxy = compile([...trustedProxies]);
  const open = new Map<string, Set<Socket>>();
  let count = 0;

  function heaviest(): string | undefined {
    let found: string | undefined;
    const weightOf = (address: string) => (isProxy(address, 0) ? 0 : open.get(address)!.size);
    for (const address of open.keys()) if (found === undefined || weightOf(address) > weightOf(found)) found = address;
    return found;
  }

  return {
    enter(socket: Socket): boolean {
      const { remoteAddress = '' } = socket;
      const isFromProxy = isProxy(remoteAddress, 0);
      const address = isFromProxy ? remoteAddress : addressKey(remoteAddress);
      const own = open.get(address) ?? new Set();
      if (!isFromProxy && own.size >= maxPerAddress) return false;
      if (count >= maxConnections) leave(heaviest()!);
      open.set(address, own.add(socket));
      count += 1;
      socket.once('close', () => forget(address, socket));
      return true;
    },
    closeAll(): void {
      for (const sockets of open.values()) for (const socket of sockets) socket.destroy();
    },
  };

  function leave(address: string): void {
    const [oldest] = open.get(address)!;
    forget(address, oldest!);
    oldest!.destroy();
  }

  function forget(address: string, socket: Socket): void {
    const own = open.get(address);
    if (!own?.delete(socket)) return;
    count -= 1;
    if (own.size === 0) open.delete(address);
  }
}
