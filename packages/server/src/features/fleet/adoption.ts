import type { DeviceKind } from '@yunxun/contract';

/** What is known of a device when a network is looked for. */
export interface Newcomer {
  serial: string;
  kind: DeviceKind;
  model: string | null;
}

/** What is known of the account's networks. */
export interface Surroundings {
  networkCount: number;
  /** The network named at enrolment, when it exists. */
  named: { gwid: string; gatewaySerial: string | null } | null;
  /** Networks whose gateway connects from the newcomer's public address. */
  sharing: readonly string[];
}

export type Placement =
  | { to: 'network'; gwid: string; asGateway: boolean }
  | { to: 'new'; remark: string; asGateway: boolean }
  | { to: 'waiting' };

/**
 * Which network a newcomer joins (design 3.5): the named one; else, for a gateway, one of its own; else the one whose
 * gateway shares its public address; else, when the account has no network yet, a new one; else it waits. Several
 * networks behind one address decide nothing.
 */
export function place(newcomer: Newcomer, surroundings: Surroundings): Placement {
  const gateway = newcomer.kind === 'gateway';
  const { named, sharing, networkCount } = surroundings;
  if (named) return { to: 'network', gwid: named.gwid, asGateway: gateway && named.gatewaySerial === null };
  if (gateway) return { to: 'new', remark: nameOfModel(newcomer), asGateway: true };
  if (sharing.length === 1) return { to: 'network', gwid: sharing[0]!, asGateway: false };
  if (networkCount === 0) return { to: 'new', remark: nameOfModel(newcomer), asGateway: false };
  return { to: 'waiting' };
}

/** What a device is for, by its own word. */
export function kindOf(platform: string | null): DeviceKind {
  if (platform === 'switch') return 'switch';
  return platform === 'olg' ? 'gateway' : 'ap';
}

/** A network's first name: its first device's model in the letters that a name may have, or the serial. */
export function nameOfModel(device: { model: string | null; serial: string }): string {
  return nameText(device.model) || device.serial;
}

/** A device's first name: its model and the end of its serial, or the serial. */
export function nameOfDevice(device: { model: string | null; serial: string }): string {
  const model = Array.from(nameText(device.model)).slice(0, 48).join('');
  return model ? `${model}-${device.serial.slice(-4)}` : device.serial;
}

/** The letters that the rule name/text allows; anything else becomes a dash. */
function nameText(text: string | null): string {
  const dashed = (text ?? '').replace(/[^A-Za-z0-9\-_,.\p{Script=Han}]+/gu, '-').replace(/^-+|-+$/g, '');
  return Array.from(dashed).slice(0, 64).join('');
}
