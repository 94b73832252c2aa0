import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { remoteLimits } from '@yunxun/contract/device';
import { holds, isHost, isUnicast, readAddress, readSubnet, type Subnet } from '@yunxun/contract/ipv4';
import type { Layout } from '../measure/layout.ts';

interface OwnSubnet extends Subnet {
  device: string;
  text: string;
}

export interface Target {
  address: string;
  port: number;
  /** Own address in its LAN. */
  from: string;
}

export class TargetRefused extends Error {
  readonly status: 403 | 502;

  constructor(status: 403 | 502, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** Returns the IPv4 addresses of this machine. */
export function ownSubnets(): OwnSubnet[] {
  return Object.entries(networkInterfaces()).flatMap(([device, own]) =>
    (own ?? []).flatMap(({ family, cidr, address }) => {
      const subnet = family === 'IPv4' ? readSubnet(cidr) : null;
      return subnet === null ? [] : [{ ...subnet, device, text: address }];
    }),
  );
}

/**
 * Allows hosts of the LANs of the active configuration alone: neither this machine nor a network of a WAN.
 * @throws TargetRefused
 */
export function checkTarget(authority: string, layout: Layout, own: readonly OwnSubnet[]): Target {
  const [host = '', digits = '', ...more] = authority.split(':');
  const address = readAddress(host);
  const port = /^[1-9]\d{0,4}$/.test(digits) ? Number(digits) : 0;
  if (address === null || port < 1 || port > 65_535 || more.length > 0)
    throw new TargetRefused(403, 'the target is not an IPv4 address with a port');
  const lans = new Set(layout.interfaces.flatMap(({ role, device }) => (role === 'downstream' ? [device] : [])));
  const lan = own.find((subnet) => lans.has(subnet.device) && isHost(subnet, address));
  const isElsewhere = own.some((subnet) => !lans.has(subnet.device) && holds(subnet, address));
  const isOwn = own.some((subnet) => subnet.address === address);
  if (lan === undefined || isElsewhere || isOwn || !isUnicast(address))
    throw new TargetRefused(403, 'the target is not a host of a LAN of this gateway');
  return { address: host, port, from: lan.text };
}

/** @throws TargetRefused */
export function connectTarget({ address, port, from }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, localAddress: from, allowHalfOpen: true, noDelay: true });
    const fail = (reason: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new TargetRefused(502, reason));
    };
    const timer = setTimeout(() => fail('the target does not answer'), remoteLimits.connectWait);
    const failed = (error: NodeJS.ErrnoException) => fail(error.code ?? error.message);
    socket.once('error', failed);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', failed);
      resolve(socket);
    });
  });
}
