import { bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { record } from '../logs/audit.ts';
import { kindOf, nameOfDevice, place } from './adoption.ts';
import {
  type DevicePatch,
  type DeviceRecord,
  findNetwork,
  insertDevice,
  lockDevice,
  updateDevice,
} from './device-store.ts';
import { bandsOf, jsonOf, textOf } from './device-words.ts';
import { announce, announceDevices } from './live.ts';
import { join, leaveGateway, offerGateway, settle } from './placement.ts';
import { nextPresence, type PresenceChange, statusOf, statusSince } from './status.ts';
import { presenceOfRow, rowOfPresence } from './tables.ts';

/** A device of an account. */
export interface DeviceRef {
  accountId: string;
  serial: string;
}

/** A device that enrolled with the account's binding code. */
export interface Enrolled extends DeviceRef {
  at: Date;
  address: string;
  platform: string | null;
  model: string | null;
  /** The network named at enrolment. */
  gwid: string | null;
  /** It was bound to this account already. */
  again: boolean;
}

/** What a device's `connect` message says. */
export interface Said {
  at: Date;
  firmware: string | null;
  /** `socket` for a plain reconnect, a boot cause, or null when the device does not say (switches). */
  reason: string | null;
  platform: string | null;
  model: string | null;
  compatible: string | null;
  capabilities: Record<string, unknown>;
}

/** The side of a device that faces terminals. */
export interface Downstream {
  /** It has an interface there with an address of its own, which it routes. */
  routes: boolean;
  /** Somebody is behind that interface. */
  serves: boolean;
}

/** Changes of a device's presence; every call is part of the caller's transaction. */
export interface PresenceKeeper {
  /**
   * Binds a device. Where it named a network it joins it at once; else its first connection says where it belongs.
   * @throws Failure notFound for a network that the account does not have
   */
  enrolled(tx: Tx, enrolment: Enrolled): Promise<void>;
  /** A session is open and the device said what it is; a newcomer finds its network. */
  connected(tx: Tx, ref: DeviceRef, said: Said, session: { address: string; epoch: number }): Promise<void>;
  /** A session ended; one that a newer has replaced changes nothing. */
  disconnected(tx: Tx, ref: DeviceRef, end: { at: Date; epoch: number }): Promise<void>;
  /** We commanded a reboot or an upgrade, and the device said that it will. */
  restarting(tx: Tx, ref: DeviceRef, at: Date): Promise<void>;
  /** What its report shows downstream; a device that routes for somebody becomes the gateway of a network without one. */
  routes(tx: Tx, ref: DeviceRef, downstream: Downstream): Promise<void>;
}

/** Keeps each device's presence, and finds newcomers their network. */
export function createPresence({ bus, clock }: { bus: Bus; clock: Clock }): PresenceKeeper {
  async function change(tx: Tx, device: DeviceRecord, what: PresenceChange, patch: DevicePatch = {}): Promise<void> {
    const { account_id: accountId, serial } = device;
    const before = presenceOfRow(device);
    const after = nextPresence(before, what);
    if (after === before) return;
    await updateDevice(tx, accountId, serial, { ...patch, ...rowOfPresence(after) });
    const status = statusOf(after, clock.now());
    const since = statusSince(after, status)?.toISOString() ?? null;
    announce(tx, bus, accountId, { type: 'device.status', serial, gwid: patch.gwid ?? device.gwid, status, since });
  }

  return {
    async enrolled(tx, { accountId, serial, at, gwid, platform, model, address, again }) {
      const kind = kindOf(platform);
      const network = gwid ? await findNetwork(tx, accountId, gwid) : null;
      if (network === undefined) throw new Failure('notFound');
      const remark = nameOfDevice({ model, serial });
      const row = {
        account_id: accountId,
        serial,
        gwid: null,
        kind,
        remark,
        model,
        platform,
        public_address: address,
        bound_at: at,
      };
      await insertDevice(tx, row);
      const device = (await lockDevice(tx, accountId, serial))!;
      await record(
        tx,
        { ...bySystem(accountId), source: 'device', ip: address },
        {
          action: again ? 'device.enrol_again' : 'device.bind',
          object: { type: 'device', id: serial, name: device.remark },
          gwid: gwid ?? device.gwid,
          after: { serial, model },
        },
      );
      if (network) {
        const placement = place(
          { serial, kind: device.kind, model },
          { networkCount: 1, named: { gwid: network.gwid, gatewaySerial: network.gateway_serial }, sharing: [] },
        );
        if (placement.to === 'network') await join(tx, bus, device, placement.gwid, placement.asGateway);
      } else await announceDevices(tx, bus, accountId, [{ serial, gwid: device.gwid }]);
    },

    async connected(tx, { accountId, serial }, said, { address, epoch }) {
      const device = await lockDevice(tx, accountId, serial);
      if (!device || device.epoch > epoch) return;
      const platform = said.platform && said.platform !== 'unknown' ? textOf(said.platform) : device.platform;
      const model = textOf(said.model) ?? device.model;
      const kind = kindOf(platform);
      const gwid =
        device.gwid ?? (await settle(tx, bus, device, { serial, kind, model, publicAddress: address, at: said.at }));
      if (kind === 'gateway' && device.gwid) await offerGateway(tx, bus, device);
      const patch: DevicePatch = {
        gwid,
        epoch,
        kind,
        platform,
        model,
        compatible: textOf(said.compatible) ?? device.compatible,
        firmware: textOf(said.firmware) ?? device.firmware,
        public_address: address,
        // the serial was its name only for want of a model
        ...(device.remark === serial && model ? { remark: nameOfDevice({ model, serial }) } : {}),
        ...(Object.keys(said.capabilities).length > 0
          ? { capabilities: jsonOf(said.capabilities), bands: bandsOf(said.capabilities) }
          : {}),
      };
      await change(tx, device, { type: 'connected', at: said.at, reason: textOf(said.reason) }, patch);
      if (patch.firmware !== device.firmware || model !== device.model)
        await announceDevices(tx, bus, accountId, [{ serial, gwid }]);
    },

    async disconnected(tx, { accountId, serial }, { at, epoch }) {
      const device = await lockDevice(tx, accountId, serial);
      if (device && device.epoch <= epoch) await change(tx, device, { type: 'disconnected', at });
    },

    async restarting(tx, { accountId, serial }, at) {
      const device = await lockDevice(tx, accountId, serial);
      if (device) await change(tx, device, { type: 'restart_commanded', at });
    },

    async routes(tx, { accountId, serial }, { routes, serves }) {
      const device = await lockDevice(tx, accountId, serial);
      if (!device) return;
      if (device.routes !== routes) {
        await updateDevice(tx, accountId, serial, { routes });
        await announceDevices(tx, bus, accountId, [{ serial, gwid: device.gwid }]);
      }
      if (serves) await offerGateway(tx, bus, device);
      else if (!routes && device.gwid && device.kind !== 'gateway') await leaveGateway(tx, bus, device.gwid, device);
    },
  };
}
