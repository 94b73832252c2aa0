import { bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { terminalsMove } from '../../telemetry/index.ts';
import { record } from '../logs/audit.ts';
import { type Newcomer, nameOfDevice, place } from './adoption.ts';
import {
  countNetworks,
  type DeviceRecord,
  findNetwork,
  insertNetwork,
  isNetworkName,
  lockPlacement,
  networksBehind,
  updateDevice,
  updateNetwork,
} from './device-store.ts';
import { announce, announceDevices } from './live.ts';

/** A device and the account it is bound to, with the network it is in so far. */
export type Placed = Pick<DeviceRecord, 'account_id' | 'serial' | 'gwid'>;

/** Puts a device into a network, out of the one it was in; `asGateway` makes it that network's gateway. */
export async function join(tx: Tx, bus: Bus, device: Placed, gwid: string, asGateway: boolean): Promise<void> {
  const { account_id: accountId, serial } = device;
  if (device.gwid && device.gwid !== gwid) await leaveGateway(tx, bus, device.gwid, device);
  if (device.gwid !== gwid) {
    await updateDevice(tx, accountId, serial, { gwid });
    await terminalsMove(tx, { accountId, serial, gwid });
  }
  if (asGateway) await updateNetwork(tx, accountId, gwid, { gateway_serial: serial });
  await announceDevices(tx, bus, accountId, [{ serial, gwid }]);
  announce(tx, bus, accountId, { type: 'network.changed', gwid });
}

/** Makes a device its network's gateway when the network has none. */
export async function offerGateway(tx: Tx, bus: Bus, device: Placed): Promise<void> {
  if (!device.gwid) return;
  const network = await findNetwork(tx, device.account_id, device.gwid);
  if (!network || network.gateway_serial !== null) return;
  await updateNetwork(tx, device.account_id, device.gwid, { gateway_serial: device.serial });
  await announceDevices(tx, bus, device.account_id, [{ serial: device.serial, gwid: device.gwid }]);
  announce(tx, bus, device.account_id, { type: 'network.changed', gwid: device.gwid });
}

/** Leaves a network without a gateway when the device was it. */
export async function leaveGateway(tx: Tx, bus: Bus, gwid: string, device: Placed): Promise<void> {
  const network = await findNetwork(tx, device.account_id, gwid);
  if (!network) return;
  if (network.gateway_serial === device.serial)
    await updateNetwork(tx, device.account_id, gwid, { gateway_serial: null });
  announce(tx, bus, device.account_id, { type: 'network.changed', gwid });
}

/** Finds a newcomer its network by the rules of design 3.5 and joins it; null when it waits. */
export async function settle(
  tx: Tx,
  bus: Bus,
  device: Placed,
  newcomer: Newcomer & { publicAddress: string | null; at: Date },
): Promise<string | null> {
  const { account_id: accountId, serial } = device;
  const { publicAddress: address, at } = newcomer;
  await lockPlacement(tx, accountId);
  const placement = place(newcomer, {
    networkCount: await countNetworks(tx, accountId),
    named: null,
    sharing: address ? await networksBehind(tx, accountId, address) : [],
  });
  if (placement.to === 'waiting') return null;
  if (placement.to === 'network') {
    await join(tx, bus, device, placement.gwid, placement.asGateway);
    return placement.gwid;
  }
  const gwid = newId(at.getTime());
  // ten boxes of one model are told apart, also by who has to type a name before the network goes
  const taken = await isNetworkName(tx, accountId, placement.remark);
  const remark = taken ? nameOfDevice(newcomer) : placement.remark;
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
  await join(tx, bus, device, gwid, placement.asGateway);
  return gwid;
}
