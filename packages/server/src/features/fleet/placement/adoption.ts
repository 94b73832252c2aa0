import type { DeviceKind } from '@yunxun/contract';

export interface JoiningDevice {
  serial: string;
  kind: DeviceKind;
  model: string | null;
}

export interface SiteEvidence {
  networkCount: number;
  named: { gwid: string; gatewaySerial: string | null } | null;
  sharing: readonly string[];
}

export type Placement =
  | { to: 'network'; gwid: string; asGateway: boolean }
  | { to: 'new'; asGateway: boolean }
  | { to: 'waiting' };

/**
 * Selects a network: the named one; a new one for a gateway; the one whose gateway shares the public
 * address; the account's first. Otherwise, or with several matches, the device waits.
 */
export function placeDevice(joining: JoiningDevice, surroundings: SiteEvidence): Placement {
  const gateway = joining.kind === 'gateway';
  const { named, sharing, networkCount } = surroundings;
  if (named) return { to: 'network', gwid: named.gwid, asGateway: gateway && named.gatewaySerial === null };
  if (gateway) return { to: 'new', asGateway: true };
  if (sharing.length === 1) return { to: 'network', gwid: sharing[0]!, asGateway: false };
  if (networkCount === 0) return { to: 'new', asGateway: false };
  return { to: 'waiting' };
}

export function kindOf(platform: string | null): DeviceKind {
  if (platform === 'switch') return 'switch';
  return platform === 'olg' ? 'gateway' : 'ap';
}

/** Returns the model in allowed letters, or the serial. */
function nameOfModel(device: { model: string | null; serial: string }): string {
  return nameText(device.model) || device.serial;
}

export function nameOfDevice(device: { model: string | null; serial: string }): string {
  const model = Array.from(nameText(device.model)).slice(0, 48).join('');
  return model ? `${model}-${device.serial.slice(-4)}` : device.serial;
}

/** Yields names for a network that a device starts: its model, with the end of its serial, then numbered. */
export function* networkNames(device: { model: string | null; serial: string }): Generator<string> {
  yield nameOfModel(device);
  const name = nameOfDevice(device);
  yield name;
  for (let number = 2; ; number += 1) yield `${name}-${number}`;
}

function nameText(text: string | null): string {
  const dashed = (text ?? '').replace(/[^A-Za-z0-9\-_,.\p{Script=Han}]+/gu, '-').replace(/^-+|-+$/g, '');
  return Array.from(dashed).slice(0, 64).join('');
}
