import { type fleet as contract, type DataOf, networksOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { Jobs } from '../jobs/service.ts';
import { record } from '../logs/audit.ts';
import {
  deleteDevices,
  deleteNetwork,
  devicesBySerial,
  devicesOf,
  insertNetwork,
  lockNetwork,
  updateNetwork,
} from './device-store.ts';
import { announce } from './live.ts';
import type { UnbindRegistry } from './unbind.ts';

export interface NetworkDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  jobs: Pick<Jobs, 'wake'>;
  unbind: UnbindRegistry;
  log: Log;
}

type Removed = DataOf<typeof contract.networkUnbind>;

/** Writes on networks, and unbinding of devices; each leaves its operation-log row in its own transaction. */
export function createNetworks({ database, bus, clock, jobs, unbind, log }: NetworkDeps) {
  /** Everybody's share goes first, then the devices; whatever still waited for them ends. */
  async function removeDevices(
    tx: Tx,
    accountId: string,
    gwid: string | null,
    serials: readonly string[],
  ): Promise<Removed> {
    const removed = await unbind.remove(tx, { accountId, gwid, serials, at: clock.now() });
    await deleteDevices(tx, accountId, serials);
    for (const serial of serials) announce(tx, bus, accountId, { type: 'device.removed', serial, gwid });
    afterCommit(tx, () => {
      for (const serial of serials) {
        jobs
          .wake(accountId, serial)
          .catch((error) => log.warn({ err: error, serial }, 'work for an unbound device not ended'));
      }
    });
    return { devices: serials.length, removed };
  }

  return {
    /** Makes an empty network. @throws Failure noPermission for a grant that covers only some networks */
    async create(tx: Tx, acting: Acting, remark: string): Promise<{ gwid: string }> {
      // row security would refuse the row: it is none of those that the grant names
      if (acting.actor && networksOf(acting.actor)) {
        throw new Failure('noPermission', { data: { permission: 'network.bind', reason: 'networks' } });
      }
      const { accountId } = acting;
      const gwid = newId(clock.now().getTime());
      await insertNetwork(tx, { account_id: accountId, gwid, remark, created_at: clock.now() });
      await record(tx, acting, {
        action: 'network.create',
        object: { type: 'network', id: gwid, name: remark },
        gwid,
        after: { remark },
        inverse: { path: '/api/v3/network/delete', input: { gwid } },
      });
      announce(tx, bus, accountId, { type: 'network.changed', gwid });
      return { gwid };
    },

    async update(
      tx: Tx,
      acting: Acting,
      gwid: string,
      change: { remark: string; tags?: string[] | undefined },
    ): Promise<void> {
      const { accountId } = acting;
      const network = await lockNetwork(tx, accountId, gwid);
      if (!network) throw new Failure('notFound');
      const before = { remark: network.remark, tags: network.tags };
      const after = { remark: change.remark, tags: change.tags ?? network.tags };
      await updateNetwork(tx, accountId, gwid, after);
      await record(tx, acting, {
        action: 'network.update',
        object: { type: 'network', id: gwid, name: after.remark },
        gwid,
        before,
        after,
        inverse: { path: '/api/v3/network/update', input: { gwid, ...before } },
      });
      announce(tx, bus, accountId, { type: 'network.changed', gwid });
    },

    /** Deletes an empty network. @throws Failure inUse with the serials in it */
    remove: (acting: Acting, gwid: string): Promise<void> =>
      database.withSystem(async (tx) => {
        const { accountId } = acting;
        const network = await lockNetwork(tx, accountId, gwid);
        if (!network) throw new Failure('notFound');
        const devices = await devicesOf(tx, accountId, [gwid]);
        if (devices.length > 0) throw new Failure('inUse', { data: { refs: devices.map((device) => device.serial) } });
        await unbind.remove(tx, { accountId, gwid, serials: [], at: clock.now() });
        await deleteNetwork(tx, accountId, gwid);
        await record(tx, acting, {
          action: 'network.delete',
          object: { type: 'network', id: gwid, name: network.remark },
          gwid,
          before: { remark: network.remark, tags: network.tags },
        });
        announce(tx, bus, accountId, { type: 'network.removed', gwid });
      }),

    /** Unbinds a network with all that is in it (spec section 4). */
    unbindNetwork: (acting: Acting, gwid: string): Promise<Removed> =>
      database.withSystem(async (tx) => {
        const { accountId } = acting;
        const network = await lockNetwork(tx, accountId, gwid);
        if (!network) throw new Failure('notFound');
        const serials = (await devicesOf(tx, accountId, [gwid])).map((device) => device.serial);
        const answer = await removeDevices(tx, accountId, gwid, serials);
        await deleteNetwork(tx, accountId, gwid);
        await record(tx, acting, {
          action: 'network.unbind',
          object: { type: 'network', id: gwid, name: network.remark },
          gwid,
          before: { remark: network.remark, tags: network.tags, serials, ...counted(answer) },
        });
        announce(tx, bus, accountId, { type: 'network.removed', gwid });
        return answer;
      }),

    /** Unbinds one device; its network stays. */
    unbindDevice: (acting: Acting, serial: string): Promise<Removed> =>
      database.withSystem(async (tx) => {
        const { accountId } = acting;
        const [device] = await devicesBySerial(tx, accountId, [serial]);
        if (!device) throw new Failure('notFound');
        const answer = await removeDevices(tx, accountId, null, [serial]);
        await record(tx, acting, {
          action: 'device.unbind',
          object: { type: 'device', id: serial, name: device.remark },
          gwid: device.gwid,
          before: { serial, model: device.model, gwid: device.gwid, ...counted(answer) },
        });
        if (device.gwid) announce(tx, bus, accountId, { type: 'network.changed', gwid: device.gwid });
        return answer;
      }),
  };
}

function counted({ removed }: Removed): { removed: Record<string, number> } {
  return { removed: Object.fromEntries(removed.map(({ part, count }) => [part, count])) };
}
