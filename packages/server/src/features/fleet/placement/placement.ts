import { limits } from '@yunxun/contract';
import { bySystem } from '../../../platform/acting.ts';
import type { Bus } from '../../../platform/bus/index.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { terminalsMove } from '../../../telemetry/index.ts';
import { record } from '../../logs/index.ts';
import {
  countNetworks,
  type DeviceRecord,
  findNetwork,
  insertNetwork,
  isNetworkName,
  lockPlacement,
  networksByAddress,
  updateDevice,
  updateNetwork,
} from '../device-store.ts';
import { announce, announceDevices } from '../live.ts';
import { type JoiningDevice, networkNames, placeDevice } from './adoption.ts';
import { accountRule, type JoinRules } from './join-rule.ts';

export type Placed = Pick<DeviceRecord, 'account_id' | 'serial' | 'gwid'>;

export interface Joining {
  asGateway: boolean;
  /** By a person or a trusted address: it gets settings. */
  confirmed: boolean;
}

/** Makes it the gateway with `asGateway`. */
export async function joinNetwork(
  tx: Tx,
  bus: Bus,
  device: Placed,
  gwid: string,
  { asGateway, confirmed }: Joining,
): Promise<void> {
  const { account_id: accountId, serial } = device;
  if (device.gwid && device.gwid !== gwid) await leaveGateway(tx, bus, device.gwid, device);
  await updateDevice(tx, accountId, serial, { gwid, confirmed });
  if (device.gwid !== gwid) {
    await terminalsMove(tx, { accountId, serial, gwid });
  }
  if (asGateway) await updateNetwork(tx, accountId, gwid, { gateway_serial: serial });
  await announceDevices(tx, bus, accountId, [{ serial, gwid }]);
  announce(tx, bus, accountId, { type: 'network.changed', gwid });
}

export async function offerGateway(tx: Tx, bus: Bus, device: Placed): Promise<void> {
  if (!device.gwid) return;
  const network = await findNetwork(tx, device.account_id, device.gwid);
  if (!network || network.gateway_serial !== null) return;
  await updateNetwork(tx, device.account_id, device.gwid, { gateway_serial: device.serial });
  await announceDevices(tx, bus, device.account_id, [{ serial: device.serial, gwid: device.gwid }]);
  announce(tx, bus, device.account_id, { type: 'network.changed', gwid: device.gwid });
}

export async function leaveGateway(tx: Tx, bus: Bus, gwid: string, device: Placed): Promise<void> {
  const network = await findNetwork(tx, device.account_id, gwid);
  if (!network) return;
  if (network.gateway_serial === device.serial)
    await updateNetwork(tx, device.account_id, gwid, { gateway_serial: null });
  announce(tx, bus, device.account_id, { type: 'network.changed', gwid });
}

/**
 * Places a device by `placeDevice`; null: it waits, also for lack of networks. A new network confirms it only at a trusted
 * address.
 */
export async function settlePlacement(
  tx: Tx,
  { bus, rules }: { bus: Bus; rules: Pick<JoinRules, 'trustsNew'> },
  device: Placed,
  joining: JoiningDevice & { publicAddress: string | null; at: Date },
): Promise<{ gwid: string; confirmed: boolean } | null> {
  const { account_id: accountId, serial } = device;
  const { publicAddress: address, at } = joining;
  await lockPlacement(tx, accountId);
  const networkCount = await countNetworks(tx, accountId);
  const placement = placeDevice(joining, {
    networkCount,
    named: null,
    sharing: address ? await networksByAddress(tx, accountId, address, await accountRule(tx, accountId)) : [],
  });
  if (placement.to === 'waiting') return null;
  const { asGateway } = placement;
  if (placement.to === 'network') {
    // its gateway is confirmed and the address trusted
    await joinNetwork(tx, bus, device, placement.gwid, { asGateway, confirmed: true });
    return { gwid: placement.gwid, confirmed: true };
  }
  if (networkCount >= limits.networksPerAccount) return null;
  const gwid = newId(at.getTime());
  const remark = await freeName(tx, accountId, joining);
  await insertNetwork(tx, { account_id: accountId, gwid, remark, created_at: at });
  await record(
    tx,
    { ...bySystem(accountId), source: 'device', ip: address },
    {
      action: 'network.create',
      object: { type: 'network', id: gwid, name: remark },
      gwid,
      after: { remark, serial },
    },
  );
  const confirmed = await rules.trustsNew(tx, accountId, address);
  await joinNetwork(tx, bus, device, gwid, { asGateway, confirmed });
  return { gwid, confirmed };
}

/** Unique, because unbinding asks for the name. Needs the lock on placements. */
async function freeName(tx: Tx, accountId: string, joining: JoiningDevice): Promise<string> {
  for (const name of networkNames(joining)) if (!(await isNetworkName(tx, accountId, name))) return name;
  throw new Error('names are endless');
}
