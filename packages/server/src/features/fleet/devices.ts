import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import type { Log } from '../../platform/log.ts';
import { deleteSharing, sharedCertificate, swapFingerprints } from '../../uplink/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import { devicesBySerial, lockDevice, lockNetwork, updateDevice } from './device-store.ts';
import { announceDevices } from './live.ts';
import { joinNetwork } from './placement/placement.ts';
import type { DeviceRef } from './presence.ts';
import type { CommandOutcome, FleetCommands } from './restarts/commands.ts';
import { requireDone } from './restarts/commands.ts';
import { isSwitch } from './tools/catalogue.ts';

export interface DeviceDeps {
  bus: Bus;
  commands: FleetCommands;
  jobs: Pick<Jobs, 'wake'>;
  log: Log;
}

export function createDevices({ bus, commands, jobs, log }: DeviceDeps) {
  /** Runs without a transaction; logs only commands that reached the device. */
  async function command(
    inTenant: InTenant,
    acting: Acting,
    serial: string,
    action: string,
    give: (ref: DeviceRef) => Promise<CommandOutcome>,
    after: unknown,
  ): Promise<void> {
    const { accountId } = acting;
    const [device] = await inTenant((tx) => devicesBySerial(tx, accountId, [serial]));
    if (!device) throw new Failure('notFound');
    // the switch client answers Success to unknown commands
    if (isSwitch(device)) throw new Failure('unsupported', { data: { reason: 'firmware' } });
    requireDone(await give({ accountId, serial }));
    const object = { type: 'device' as const, id: serial, name: device.remark };
    await inTenant((tx) => record(tx, acting, { action, object, gwid: device.gwid, after, command: true }));
  }

  return {
    async rename(tx: Tx, acting: Acting, serial: string, remark: string): Promise<void> {
      const { accountId } = acting;
      const device = await lockDevice(tx, accountId, serial);
      if (!device) throw new Failure('notFound');
      await updateDevice(tx, accountId, serial, { remark });
      await record(tx, acting, {
        action: 'device.rename',
        object: { type: 'device' as const, id: serial, name: remark },
        gwid: device.gwid,
        before: { remark: device.remark },
        after: { remark },
        inverse: { path: '/api/v3/ap/update', input: { serial, remark: device.remark } },
      });
      await announceDevices(tx, bus, accountId, [{ serial, gwid: device.gwid }]);
    },

    async adopt(tx: Tx, acting: Acting, serial: string, gwid: string): Promise<void> {
      const { accountId } = acting;
      const network = await lockNetwork(tx, accountId, gwid);
      const device = await lockDevice(tx, accountId, serial);
      if (!network || !device) throw new Failure('notFound');
      const asGateway = network.gateway_serial === null && device.kind === 'gateway';
      await joinNetwork(tx, bus, device, gwid, { asGateway, confirmed: true });
      await record(tx, acting, {
        action: 'device.adopt',
        object: { type: 'device' as const, id: serial, name: device.remark },
        gwid,
        before: { gwid: device.gwid },
        after: { gwid, network: network.remark },
        ...(device.gwid ? { inverse: { path: '/api/v3/device/adopt', input: { serial, gwid: device.gwid } } } : {}),
      });
    },

    /** Confirms devices, which then get settings. @returns the number newly confirmed */
    async confirm(tx: Tx, acting: Acting, serials: readonly string[]): Promise<number> {
      const { accountId } = acting;
      let count = 0;
      // key order prevents deadlocks
      for (const serial of serials.toSorted()) {
        const device = await lockDevice(tx, accountId, serial);
        if (!device) throw new Failure('notFound');
        const { gwid, confirmed, public_address: address, model } = device;
        if (confirmed || gwid === null) continue;
        await updateDevice(tx, accountId, serial, { confirmed: true });
        await record(tx, acting, {
          action: 'device.confirm',
          object: { type: 'device' as const, id: serial, name: device.remark },
          gwid,
          after: { address, model },
          command: true,
        });
        await announceDevices(tx, bus, accountId, [{ serial, gwid }]);
        afterCommit(tx, () => {
          jobs
            .wake(accountId, serial)
            .catch((error) => log.warn({ err: error, serial }, 'work for a confirmed device not begun'));
        });
        count += 1;
      }
      return count;
    },

    /** Admits the second host with the certificate, or clears the conflict. */
    async decideShared(tx: Tx, acting: Acting, serial: string, decision: 'swap' | 'forget', now: Date): Promise<void> {
      const ref = { accountId: acting.accountId, serial };
      const device = await lockDevice(tx, acting.accountId, serial);
      const boxes = device && (await sharedCertificate(tx, ref, now));
      if (!boxes) throw new Failure('notFound');
      if (decision === 'swap') await swapFingerprints(tx, bus, ref, boxes);
      else await deleteSharing(tx, ref);
      await record(tx, acting, {
        action: decision === 'swap' ? 'device.swap_boxes' : 'device.forget_boxes',
        object: { type: 'device' as const, id: serial, name: device.remark },
        gwid: device.gwid,
        before: { first: boxes.first, second: boxes.second },
        after: decision === 'swap' ? { first: boxes.second, second: boxes.first } : null,
        command: true,
      });
    },

    blink: (inTenant: InTenant, acting: Acting, serial: string, seconds: number): Promise<void> =>
      command(inTenant, acting, serial, 'device.blink', (ref) => commands.blink(ref, seconds), { seconds }),

    refresh: (inTenant: InTenant, acting: Acting, serial: string): Promise<void> =>
      command(inTenant, acting, serial, 'device.refresh', (ref) => commands.refresh(ref), null),
  };
}
