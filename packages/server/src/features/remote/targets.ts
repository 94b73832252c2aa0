import {
  type remote as contract,
  type DataOf,
  type InputOf,
  peripherals,
  type RemoteKind,
  type RemoteReason,
} from '@yunxun/contract';
import { asRecord, type Capabilities, type EdgeCapabilities, type EdgeRemoteAbility } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { fleetDevices, fleetGateways, fleetNetworks, type ManagedDevice } from '../fleet/index.ts';
import { peripheralTarget } from '../peripherals/index.ts';
import { keptSignIn } from './credentials/store.ts';
import { keptHostKey } from './host-keys.ts';
import { readSettings } from './settings.ts';

type Asked = Pick<InputOf<typeof contract.open>, 'serial' | 'peripheral_id'>;

export interface RemoteTarget {
  name: string;
  device: ManagedDevice | null;
  peripheral: {
    id: string;
    gwid: string;
    host: string;
    ports: Readonly<Partial<Record<RemoteKind, number | null>>>;
    hasRdp: boolean;
  } | null;
  enabled: boolean;
}

/** Null: not an edge agent. `remote` null: it is too old; false: its owner switched it off. */
export function agentAbility(capabilities: unknown): { remote: boolean | null; shell: boolean } | null {
  const { yunxun } = asRecord<Capabilities>(capabilities);
  if (yunxun === undefined) return null;
  const edge = asRecord<EdgeCapabilities>(yunxun);
  const { remote } = asRecord<EdgeCapabilities['abilities']>(edge.abilities);
  return {
    remote: typeof remote === 'boolean' ? remote : null,
    shell: asRecord<EdgeRemoteAbility>(edge.remote).shell === true,
  };
}

/** @throws Failure notFound; Invalid unless exactly one target is named */
export async function findTarget(tx: Tx, accountId: string, asked: Asked, clock: Clock): Promise<RemoteTarget> {
  const { serial, peripheral_id: id } = asked;
  if (serial === undefined && id === undefined) invalid('serial', 'validation.required');
  if (serial !== undefined && id !== undefined) invalid('peripheral_id', 'validation.invalid');
  const { enabled } = await readSettings(tx, accountId);
  const find = async (wanted: string) => (await fleetDevices.find(tx, accountId, wanted, clock.now())) ?? null;
  if (serial !== undefined) {
    const device = await find(serial);
    if (!device) throw new Failure('notFound');
    return { name: device.name || serial, device, peripheral: null, enabled };
  }
  const found = await peripheralTarget(tx, accountId, id!);
  if (!found) throw new Failure('notFound');
  const { name, gwid, ip: host, web_port: web, shell_port: shell, screen_port: vnc } = found;
  const gateway = await fleetGateways.ofNetwork(tx, accountId, gwid);
  const device = gateway === null ? null : await find(gateway);
  const ports = { web, ssh: shell, telnet: shell, vnc };
  const hasRdp = found.detect_port === peripherals.peripheralLimits.rdpPort;
  return { name, device, peripheral: { id: id!, gwid, host, ports, hasRdp }, enabled };
}

/** `hasWeb`: this installation has a remote host. */
export function obstacle(
  { device, peripheral, enabled }: RemoteTarget,
  kind: RemoteKind,
  hasWeb: boolean,
): RemoteReason | null {
  if (!enabled) return 'off';
  if (kind === 'web' && !hasWeb) return 'no_remote_host';
  if (!device) return 'no_gateway';
  if (device.gwid === null) return 'no_network';
  if (!device.confirmed) return 'unconfirmed';
  if (peripheral && (peripheral.ports[kind] ?? null) === null) {
    if (kind === 'web') return 'no_web_port';
    if (kind !== 'vnc') return 'no_port';
    return peripheral.hasRdp ? 'rdp' : 'no_screen_port';
  }
  const able = peripheral ? obstacleOfAgent(device) : obstacleOfShell(device);
  if (able) return able;
  return device.onlineSince === null ? 'offline' : null;
}

function obstacleOfAgent({ capabilities }: ManagedDevice): RemoteReason | null {
  const able = agentAbility(capabilities)?.remote ?? null;
  if (able === null) return 'agent';
  return able ? null : 'restricted';
}

function obstacleOfShell(device: ManagedDevice): RemoteReason | null {
  const agent = agentAbility(device.capabilities);
  if (agent) return obstacleOfAgent(device) ?? (agent.shell ? null : 'no_shell');
  const { platform, restrictions } = asRecord<Capabilities>(device.capabilities);
  if (device.kind === 'switch' || platform === 'switch') return 'switch';
  return asRecord<{ rtty: unknown }>(restrictions).rtty === true ? 'restricted' : null;
}

export const networkOf = ({ device, peripheral }: RemoteTarget): string | null =>
  peripheral?.gwid ?? device?.gwid ?? null;

export const kindsOf = ({ peripheral }: RemoteTarget): readonly RemoteKind[] =>
  peripheral ? ['web', 'ssh', 'telnet', 'vnc'] : ['shell'];

export async function listTargets(
  tx: Tx,
  accountId: string,
  asked: Asked,
  { clock, keys, hasWeb }: { clock: Clock; keys: AccountKeys; hasWeb: boolean },
): Promise<DataOf<typeof contract.targets>> {
  const target = await findTarget(tx, accountId, asked, clock);
  const gwid = networkOf(target);
  const names = await fleetNetworks.names(tx, accountId, gwid === null ? [] : [gwid]);
  return {
    name: target.name,
    network: names.get(gwid ?? '') ?? '',
    list: kindsOf(target).map((kind) => ({ kind, reason: obstacle(target, kind, hasWeb) })),
    waits_for_key: await waitsForKey(tx, keys, accountId, target),
  };
}

async function waitsForKey(
  tx: Tx,
  keys: AccountKeys,
  accountId: string,
  { peripheral }: RemoteTarget,
): Promise<boolean> {
  const port = peripheral?.ports.ssh ?? null;
  if (!peripheral || port === null) return false;
  const { id: peripheral_id, gwid, host } = peripheral;
  const place = { account_id: accountId, peripheral_id, gwid, host, port };
  return (await keptHostKey(tx, place)) === null && (await keptSignIn(tx, keys, place)) !== null;
}
