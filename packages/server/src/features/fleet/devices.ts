import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { InTenant } from '../../platform/http/call.ts';
import { record } from '../logs/audit.ts';
import type { CommandOutcome, FleetCommands } from './commands.ts';
import { mustBeDone } from './commands.ts';
import { devicesBySerial, lockDevice, lockNetwork, updateDevice } from './device-store.ts';
import { announceDevices } from './live.ts';
import { join } from './placement.ts';
import type { DeviceRef } from './presence.ts';

/** Writes on single devices, and the short commands that a page waits for. */
export function createDevices({ bus, commands }: { bus: Bus; commands: FleetCommands }) {
  /** Gives a command and logs it, waiting outside of any transaction; nothing is logged of one that did not reach the device. */
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
    mustBeDone(await give({ accountId, serial }));
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

    /** Puts a device into a network: one that waits, or one that sits in the wrong network. */
    async adopt(tx: Tx, acting: Acting, serial: string, gwid: string): Promise<void> {
      const { accountId } = acting;
      const network = await lockNetwork(tx, accountId, gwid);
      const device = await lockDevice(tx, accountId, serial);
      if (!network || !device) throw new Failure('notFound');
      const asGateway = network.gateway_serial === null && device.kind === 'gateway';
      await join(tx, bus, device, gwid, asGateway);
      await record(tx, acting, {
        action: 'device.adopt',
        object: { type: 'device' as const, id: serial, name: device.remark },
        gwid,
        before: { gwid: device.gwid },
        after: { gwid, network: network.remark },
        // there is no way back into waiting
        ...(device.gwid ? { inverse: { path: '/api/v3/device/adopt', input: { serial, gwid: device.gwid } } } : {}),
      });
    },

    blink: (inTenant: InTenant, acting: Acting, serial: string, seconds: number): Promise<void> =>
      command(inTenant, acting, serial, 'device.blink', (ref) => commands.blink(ref, seconds), { seconds }),

    refresh: (inTenant: InTenant, acting: Acting, serial: string): Promise<void> =>
      command(inTenant, acting, serial, 'device.refresh', (ref) => commands.refresh(ref), null),
  };
}
