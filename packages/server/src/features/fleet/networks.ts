import { type fleet as contract, type DataOf, limits, networksOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { distinctTags } from '../../platform/search/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import {
  countNetworks,
  deleteDevices,
  deleteNetwork,
  devicesBySerial,
  devicesOf,
  insertNetwork,
  isNetworkName,
  lockNetwork,
  lockPlacement,
  updateDevice,
  updateNetwork,
} from './device-store.ts';
import { carryEvents } from './events/event-store.ts';
import { announce, announceDevices } from './live.ts';
import { carryOutages } from './outages/outage-store.ts';
import { joinNetwork, leaveGateway } from './placement/placement.ts';
import { nameOf } from './tags.ts';
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

/** Runs before the old device is unbound. */
export type Replacement = (tx: Tx, acting: Acting, from: string, to: string) => Promise<void>;

export function createNetworks({ database, bus, clock, jobs, unbind, log }: NetworkDeps) {
  const replacements: Replacement[] = [];

  /** Removes feature data, then devices; ends open job items. */
  async function removeDevices(
    tx: Tx,
    acting: Acting,
    gwid: string | null,
    serials: readonly string[],
  ): Promise<Removed> {
    const { accountId } = acting;
    const removed = await unbind.remove(tx, { acting, accountId, gwid, serials, at: clock.now() });
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

  /** Returns false if devices remain. */
  async function removeIfEmpty(tx: Tx, acting: Acting, gwid: string): Promise<boolean> {
    const { accountId } = acting;
    const network = await lockNetwork(tx, accountId, gwid);
    if (!network || (await devicesOf(tx, accountId, [gwid])).length > 0) return false;
    await unbind.remove(tx, { acting, accountId, gwid, serials: [], at: clock.now() });
    await deleteNetwork(tx, accountId, gwid);
    await record(tx, acting, {
      action: 'network.delete',
      object: { type: 'network', id: gwid, name: network.remark },
      gwid,
      before: { remark: network.remark, tags: network.tags },
    });
    announce(tx, bus, accountId, { type: 'network.removed', gwid });
    return true;
  }

  /** @throws Failure notFound; unsupported for different kinds */
  async function pairOf(tx: Tx, accountId: string, from: string, to: string) {
    const found = await devicesBySerial(tx, accountId, [from, to]);
    const old = found.find(({ serial }) => serial === from);
    const fresh = found.find(({ serial }) => serial === to);
    if (!old || !fresh || from === to) throw new Failure('notFound');
    if (old.kind !== fresh.kind) throw new Failure('unsupported', { data: { reason: 'kind' } });
    const network = old.gwid ? await lockNetwork(tx, accountId, old.gwid) : null;
    return { old, fresh, wasGateway: network?.gateway_serial === from };
  }

  /** Like `replaceIn`, but transfers settings only. */
  async function simulateReplacement(tx: Tx, acting: Acting, from: string, to: string): Promise<void> {
    const { accountId } = acting;
    const { old, fresh, wasGateway } = await pairOf(tx, accountId, from, to);
    for (const take of replacements) await take(tx, acting, from, to);
    const { remark, tags, group_id, gwid } = old;
    await updateDevice(tx, accountId, from, { gwid: null });
    if (fresh.gwid && fresh.gwid !== gwid) await leaveGateway(tx, bus, fresh.gwid, fresh);
    await updateDevice(tx, accountId, to, { remark, tags, group_id, gwid, confirmed: true });
    if (gwid && wasGateway) await updateNetwork(tx, accountId, gwid, { gateway_serial: to });
  }

  /**
   * Transfers name, tags, group, network, role, events and feature data; unbinds the old device. `deleteEmpty` deletes
   * the former network if empty.
   * @throws Failure notFound; unsupported for different kinds
   */
  async function replaceIn(tx: Tx, acting: Acting, from: string, to: string, deleteEmpty: boolean): Promise<void> {
    const { accountId } = acting;
    const { old, fresh, wasGateway } = await pairOf(tx, accountId, from, to);
    for (const take of replacements) await take(tx, acting, from, to);
    await carryEvents(tx, accountId, from, to, clock.now());
    await carryOutages(tx, accountId, from, to, clock.now());
    await removeDevices(tx, acting, null, [from]);
    const { remark, tags, group_id } = old;
    await updateDevice(tx, accountId, to, { remark, tags, group_id });
    if (old.gwid) await joinNetwork(tx, bus, fresh, old.gwid, { asGateway: wasGateway, confirmed: true });
    const left = deleteEmpty && fresh.gwid !== old.gwid ? fresh.gwid : null;
    if (left) await removeIfEmpty(tx, acting, left);
    await record(tx, acting, {
      action: 'device.replace',
      object: { type: 'device', id: to, name: remark },
      gwid: old.gwid,
      before: { serial: from, model: old.model, gwid: fresh.gwid, remark: fresh.remark },
      after: { serial: to, model: fresh.model, gwid: old.gwid, gateway: wasGateway },
    });
    await announceDevices(tx, bus, accountId, [{ serial: to, gwid: old.gwid }]);
  }

  return {
    onDeviceReplaced(successor: Replacement): void {
      replacements.push(successor);
    },

    /** @throws Failure noPermission without access to all networks, limitReached, nameExists */
    async create(tx: Tx, acting: Acting, remark: string): Promise<{ gwid: string }> {
      // row security rejects networks that the grant does not name
      if (acting.actor && networksOf(acting.actor)) {
        throw new Failure('noPermission', { data: { permission: 'network.bind', reason: 'networks' } });
      }
      const { accountId } = acting;
      await lockPlacement(tx, accountId);
      const used = await countNetworks(tx, accountId);
      const limit = limits.networksPerAccount;
      if (used >= limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
      await refuseTaken(tx, accountId, remark);
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

    /** @throws Failure notFound; nameExists for a new name that another network has */
    async update(
      tx: Tx,
      acting: Acting,
      gwid: string,
      change: { remark?: string | undefined; tags?: string[] | undefined },
    ): Promise<void> {
      const { accountId } = acting;
      if (change.remark !== undefined) await lockPlacement(tx, accountId);
      const network = await lockNetwork(tx, accountId, gwid);
      if (!network) throw new Failure('notFound');
      // accounts may have equal names from before
      if (change.remark !== undefined && change.remark !== network.remark)
        await refuseTaken(tx, accountId, change.remark, gwid);
      const before = { remark: network.remark, tags: network.tags };
      const after = { remark: change.remark ?? network.remark, tags: distinctTags(change.tags ?? network.tags) };
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

    /** @throws Failure inUse with its serials */
    remove: (acting: Acting, gwid: string): Promise<void> =>
      database.withSystem(async (tx) => {
        const { accountId } = acting;
        const network = await lockNetwork(tx, accountId, gwid);
        if (!network) throw new Failure('notFound');
        const devices = await devicesOf(tx, accountId, [gwid]);
        if (devices.length > 0)
          throw new Failure('inUse', {
            data: { refs: devices.map((device) => device.serial) },
            params: { kind: 'network' },
          });
        await removeIfEmpty(tx, acting, gwid);
      }),

    unbindNetwork: (acting: Acting, gwid: string): Promise<Removed> =>
      database.withSystem(async (tx) => {
        const { accountId } = acting;
        const network = await lockNetwork(tx, accountId, gwid);
        if (!network) throw new Failure('notFound');
        const serials = (await devicesOf(tx, accountId, [gwid])).map((device) => device.serial);
        const answer = await removeDevices(tx, acting, gwid, serials);
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

    replace: (acting: Acting, from: string, to: string, deleteEmpty: boolean): Promise<void> =>
      database.withSystem((tx) => replaceIn(tx, acting, from, to, deleteEmpty)),
    simulateReplacement,
    removeDevices,

    /** Ignores missing devices. @throws Failure notFound if all are missing */
    unbindDevices: (acting: Acting, serials: readonly string[]): Promise<Removed> =>
      database.withSystem(async (tx) => {
        const { accountId } = acting;
        const devices = (await devicesBySerial(tx, accountId, serials)).toSorted((a, b) =>
          a.remark.localeCompare(b.remark),
        );
        const [only] = devices;
        if (!only) throw new Failure('notFound');
        const found = devices.map(({ serial }) => serial);
        const answer = await removeDevices(tx, acting, null, found);
        const gwids = new Set(devices.map(({ gwid }) => gwid));
        const [gwid = null] = gwids;
        await record(tx, acting, {
          action: 'device.unbind',
          object:
            devices.length === 1
              ? { type: 'device', id: only.serial, name: only.remark }
              : { type: 'selection', id: newId(), name: nameOf(devices) },
          gwid: gwids.size === 1 ? gwid : null,
          before: {
            ...(devices.length === 1
              ? { serial: only.serial, model: only.model, gwid: only.gwid }
              : {
                  units: devices.map(({ serial, remark, model, gwid: from }) => ({
                    serial,
                    remark,
                    model,
                    gwid: from,
                  })),
                }),
            ...counted(answer),
          },
        });
        for (const each of gwids) if (each) announce(tx, bus, accountId, { type: 'network.changed', gwid: each });
        return answer;
      }),
  };
}

function counted({ removed }: Removed): { removed: Record<string, number> } {
  return { removed: Object.fromEntries(removed.map(({ part, count }) => [part, count])) };
}

/** Unbinding asks for the name, and imports find networks by it. Needs the lock on placements. */
async function refuseTaken(tx: Tx, accountId: string, remark: string, except?: string): Promise<void> {
  if (await isNetworkName(tx, accountId, remark, except))
    throw new Failure('nameExists', { params: { kind: 'network' } });
}
