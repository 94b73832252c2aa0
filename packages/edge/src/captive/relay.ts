import { createHmac, randomBytes } from 'node:crypto';
import { createConnection, createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { type EdgeCaptiveRelay, relayLine, relayText } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import { pageOf } from '../render/captive.ts';
import type { PlanCaptive } from '../render/plan.ts';
import { guestAt, type MacOf } from './redirector.ts';

export interface RelayOptions {
  captive(): PlanCaptive | undefined;
  macOf: MacOf;
  clock: Pick<Clock, 'now'>;
  lookup?: LookupFunction;
}

const maxConnections = 500;
const maxPerClient = 50;
/** Milliseconds. */
const idleAfter = 60_000;

/** Passes connections on to the portal and names the client first, which NAT would hide. */
export function createRelay({ captive, macOf, clock, lookup }: RelayOptions): Server {
  const open = new Map<string, number>();
  const server = createServer((socket) => {
    const now = captive();
    const guest = guestAt(now, socket.remoteAddress, macOf);
    const count = guest === null ? 0 : (open.get(guest.ip) ?? 0);
    if (!now?.relays || guest === null || count >= maxPerClient) return void socket.destroy();
    open.set(guest.ip, count + 1);
    socket.once('close', () => {
      const left = (open.get(guest.ip) ?? 1) - 1;
      if (left > 0) open.set(guest.ip, left);
      else open.delete(guest.ip);
    });
    const portal = createConnection({ ...pageOf(now), ...(lookup ? { lookup } : {}) });
    portal.write(lineFor(now, { ...guest, at: Math.floor(clock.now() / 1000) }));
    join(socket, portal);
  });
  server.maxConnections = maxConnections;
  return server;
}

export function lineFor({ secret }: Pick<PlanCaptive, 'secret'>, at: Omit<EdgeCaptiveRelay, 'nonce'>): string {
  const client = { ...at, nonce: randomBytes(16).toString('base64url') };
  return relayLine(client, createHmac('sha256', secret).update(relayText(client)).digest('base64url'));
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.end());
    from.setTimeout(idleAfter, () => from.destroy());
    from.pipe(to);
  }
}
