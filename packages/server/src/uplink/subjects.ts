import type { Bus } from '../platform/bus/index.ts';
import type { DeviceRef } from './ports.ts';

/** Requests to the process that holds a device's socket. Nobody responds: the device is offline. */
export const rpcSubject = ({ accountId, serial }: DeviceRef) => `dev.${accountId}.${serial}.rpc`;

/** Orders to a device's session that need no answer. */
export const sessionSubject = ({ accountId, serial }: DeviceRef) => `dev.${accountId}.${serial}.session`;

/** The orders to all sessions: a process hears them once for all its sessions, which is cheaper than a subscription each. */
const everySession = 'dev.*.*.session';

/** What a device did: `connected`, `disconnected`, or a method's name in lower case. */
export const factSubject = ({ accountId, serial }: DeviceRef, fact: string) => `device.${accountId}.${serial}.${fact}`;

/** Asks whether a gateway process lives. Nobody responds: it is gone. */
export const nodeSubject = (node: string) => `gateway.${node}.alive`;

/** Orders to a session. */
export type SessionOrder =
  /** A newer session of the device is open; older ones close. */
  | { type: 'taken-over'; epoch: number }
  /** The device may not be connected any more. */
  | { type: 'cut'; reason: 'revoked' | 'unbound' }
  /** A message of another device of its venue, to be passed on. */
  | { type: 'relay'; params: Record<string, unknown> };

/** Gives an order to whoever holds the device's session. */
export function tellSession(bus: Bus, device: DeviceRef, order: SessionOrder): void {
  bus.publish(sessionSubject(device), order);
}

/** Hears the orders to the sessions of all devices; the returned function stops it. */
export function hearOrders(bus: Bus, obey: (device: DeviceRef, order: SessionOrder) => void): () => void {
  return bus.subscribe(everySession, (order, subject) => {
    const [, accountId = '', serial = ''] = subject.split('.');
    obey({ accountId, serial }, order as SessionOrder);
  });
}
