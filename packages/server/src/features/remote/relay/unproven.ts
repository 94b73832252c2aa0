import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { addressKey } from '../../../platform/http/address.ts';

export interface UnprovenOptions {
  max: number;
  maxPerAddress: number;
  /** A trusted proxy brings the connections of many addresses. */
  trustedProxies: readonly string[];
}

const pathOf = ({ remoteAddress, remotePort, localAddress }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/** Counts connections from their first packet until they have proven themselves or ended. */
export function createUnproven({ max, maxPerAddress, trustedProxies }: UnprovenOptions) {
  const isProxy = compile([...trustedProxies]);
  const perAddress = new Map<string, number>();
  const open = new Map<string, () => void>();

  return {
    /** @returns false if there is no capacity */
    enter(socket: Socket): boolean {
      const { remoteAddress = '' } = socket;
      const address = addressKey(remoteAddress);
      const used = perAddress.get(address) ?? 0;
      if (open.size >= max || (used >= maxPerAddress && !isProxy(remoteAddress, 0))) return false;
      const path = pathOf(socket);
      const leave = () => {
        if (!open.delete(path)) return;
        const left = (perAddress.get(address) ?? 0) - 1;
        if (left > 0) perAddress.set(address, left);
        else perAddress.delete(address);
      };
      perAddress.set(address, used + 1);
      open.set(path, leave);
      socket.once('close', leave);
      return true;
    },
    /** Returns the end of the count; `socket`: the TLS socket of one that entered. */
    leaverOf: (socket: Socket): (() => void) => open.get(pathOf(socket)) ?? (() => undefined),
  };
}
