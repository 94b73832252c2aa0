import type { Bus } from '../platform/bus/index.ts';
import type { DeviceFingerprint, DeviceRef, FingerprintPair } from './ports.ts';

/** No responder: the device is offline. */
export const rpcSubject = ({ accountId, serial }: DeviceRef) => `dev.${accountId}.${serial}.rpc`;

export const radiusSubject = ({ accountId, serial }: DeviceRef) => `dev.${accountId}.${serial}.radius`;

export const sessionSubject = ({ accountId, serial }: DeviceRef) => `dev.${accountId}.${serial}.session`;

/** One subscription per process is cheaper than one per session. */
const everySession = 'dev.*.*.session';

/** `connected`, `disconnected`, or a lower-case method. */
export const factSubject = ({ accountId, serial }: DeviceRef, fact: string) => `device.${accountId}.${serial}.${fact}`;

/** No responder: the process is gone. */
export const nodeSubject = (node: string) => `gateway.${node}.alive`;

export type SessionOrder =
  | { type: 'taken-over'; epoch: number; by?: DeviceFingerprint }
  | { type: 'held-off'; boxes: FingerprintPair }
  | { type: 'cut'; reason: 'revoked' | 'unbound' }
  | { type: 'relay'; params: Record<string, unknown> };

export function tellSession(bus: Bus, device: DeviceRef, order: SessionOrder): void {
  bus.publish(sessionSubject(device), order);
}

export function onSessionOrder(bus: Bus, obey: (device: DeviceRef, order: SessionOrder) => void): () => void {
  return bus.subscribe(everySession, (order, subject) => {
    const [, accountId = '', serial = ''] = subject.split('.');
    obey({ accountId, serial }, order as SessionOrder);
  });
}
