import { fleetBatch as contract, type DataOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import { devicesBySerial, lockNetwork } from './device-store.ts';
import { announce, announceDevices } from './live.ts';
import { gatewaysAmong } from './placement/placed.ts';
import { joinNetwork } from './placement/placement.ts';
import { fleet } from './tables.ts';
import { nameOf } from './tags.ts';
import type { UnbindRegistry } from './unbind.ts';

const maxUndone = 1000;

export interface BatchDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  unbind: UnbindRegistry;
}

export function createBatch({ database, bus, clock, unbind }: BatchDeps) {
  return {
    /** @throws Failure inUse if none is empty */
    deleteNetworks: (acting: Acting, gwids: readonly string[]): Promise<{ deleted: number; kept: number }> =>
      database.withSystem(async (tx) => {
        const { accountId } = acting;
        const { rows } = await sql<{ gwid: string; remark: string; tags: string[] }>`
          select n.gwid, n.remark, n.tags from network n where n.account_id = ${accountId} and n.gwid = any(${[...gwids]}::uuid[])
            and not exists (select 1 from device d where d.account_id = n.account_id and d.gwid = n.gwid)
          order by n.remark for update
        `.execute(tx);
        const [only] = rows;
        if (!only) throw new Failure('inUse', { data: { refs: gwids.slice(0, 20) }, params: { kind: 'network' } });
        const empty = rows.map(({ gwid }) => gwid);
        for (const gwid of empty) await unbind.remove(tx, { acting, accountId, gwid, serials: [], at: clock.now() });
        await fleet(tx).deleteFrom('network').where('account_id', '=', accountId).where('gwid', 'in', empty).execute();
        await record(tx, acting, {
          action: 'network.delete',
          object:
            rows.length === 1
              ? { type: 'network', id: only.gwid, name: only.remark }
              : { type: 'selection', id: newId(), name: nameOf(rows) },
          gwid: rows.length === 1 ? only.gwid : null,
          before: { networks: rows },
        });
        for (const gwid of empty) announce(tx, bus, accountId, { type: 'network.removed', gwid });
        return { deleted: empty.length, kept: gwids.length - empty.length };
      }),

    /**
     * @returns the number moved
     * @throws Failure inUse for another network's gateway; limitReached, because a move locks the device's clients
     */
    async move(tx: Tx, acting: Acting, serials: readonly string[], gwid: string): Promise<{ moved: number }> {
      const { accountId } = acting;
      const network = await lockNetwork(tx, accountId, gwid);
      if (!network) throw new Failure('notFound');
      await fleet(tx)
        .selectFrom('device')
        .select('serial')
        .where('account_id', '=', accountId)
        .where('serial', 'in', [...serials])
        .orderBy('serial')
        .forUpdate()
        .execute();
      const moving = (await devicesBySerial(tx, accountId, serials)).filter((device) => device.gwid !== gwid);
      const [only] = moving;
      if (!only) return { moved: 0 };
      const limit = contract.moveLimits.devices;
      if (moving.length > limit) {
        const data = { limit, used: moving.length };
        throw new Failure('limitReached', { data, params: data });
      }
      const gateways = await gatewaysAmong(
        tx,
        accountId,
        moving.map(({ serial }) => serial),
      );
      if (gateways.length > 0) throw new Failure('inUse', { data: { refs: gateways }, params: { kind: 'gateway' } });
      for (const device of moving) await joinNetwork(tx, bus, device, gwid, { asGateway: false, confirmed: true });
      const before = new Set(moving.map((device) => device.gwid));
      const [from] = before;
      const moved = moving.map(({ serial }) => serial);
      await record(tx, acting, {
        action: 'device.move',
        object:
          moving.length === 1
            ? { type: 'device', id: only.serial, name: only.remark }
            : { type: 'selection', id: newId(), name: nameOf(moving) },
        gwid,
        before: {
          units: moving.slice(0, maxUndone).map(({ serial, remark, gwid: from }) => ({ serial, remark, gwid: from })),
        },
        after: { gwid, network: network.remark },
        ...(before.size === 1 && from && moved.length <= maxUndone
          ? { inverse: { path: '/api/v3/ap/move', input: { serials: moved, gwid: from } } }
          : {}),
      });
      return { moved: moved.length };
    },

    /** Assigns waiting devices; the first gateway leads a network without one. Others stay. */
    async adopt(
      tx: Tx,
      acting: Acting,
      serials: readonly string[],
      gwid: string,
    ): Promise<DataOf<typeof contract.adoptMany>['list']> {
      const { accountId } = acting;
      const network = await lockNetwork(tx, accountId, gwid);
      if (!network) throw new Failure('notFound');
      const found = await fleet(tx)
        .selectFrom('device')
        .select(['account_id', 'serial', 'gwid', 'kind', 'remark'])
        .where('account_id', '=', accountId)
        .where('serial', 'in', [...serials])
        .orderBy('serial')
        .forUpdate()
        .execute();
      const results = new Map<string, (typeof contract.adoptResults)[number]>();
      let led = network.gateway_serial !== null;
      for (const device of found) {
        const leads = !led && device.kind === 'gateway';
        results.set(device.serial, device.gwid !== null ? 'placed' : leads ? 'gateway' : 'assigned');
        if (device.gwid !== null) continue;
        led ||= leads;
        await joinNetwork(tx, bus, device, gwid, { asGateway: leads, confirmed: true });
      }
      const assigned = found.filter((device) => device.gwid === null);
      const [only] = assigned;
      if (only) {
        await record(tx, acting, {
          action: 'device.adopt',
          object:
            assigned.length === 1
              ? { type: 'device', id: only.serial, name: only.remark }
              : { type: 'selection', id: newId(), name: nameOf(assigned) },
          gwid,
          before: { gwid: null },
          after: { gwid, network: network.remark, serials: assigned.map(({ serial }) => serial) },
        });
      }
      return serials.flatMap((serial) => {
        const result = results.get(serial);
        return result ? [{ serial, result }] : [];
      });
    },

    /** Renames in sequence. @returns the number changed */
    async rename(
      tx: Tx,
      acting: Acting,
      serials: readonly string[],
      { prefix, start, digits }: { prefix: string; start: number; digits: number },
    ): Promise<{ renamed: number }> {
      const { accountId } = acting;
      const names = serials.map((_, at) => `${prefix.trimStart()}${String(start + at).padStart(digits, '0')}`);
      const { rows } = await sql<{ serial: string; gwid: string | null; remark: string; was: string }>`
        with wanted as (
          select w.serial, w.name, d.remark as was from unnest(${[...serials]}::text[], ${names}::text[]) as w (serial, name)
          join device d on d.account_id = ${accountId} and d.serial = w.serial and d.remark <> w.name order by w.serial for update of d
        )
        update device d set remark = w.name from wanted w where d.account_id = ${accountId} and d.serial = w.serial
        returning d.serial, d.gwid, d.remark, w.was
      `.execute(tx);
      const [only] = rows;
      if (!only) return { renamed: 0 };
      await record(tx, acting, {
        action: 'device.rename',
        object:
          rows.length === 1
            ? { type: 'device', id: only.serial, name: only.remark }
            : { type: 'selection', id: newId(), name: nameOf(rows) },
        gwid: rows.length === 1 ? only.gwid : null,
        before: { names: Object.fromEntries(rows.slice(0, maxUndone).map(({ serial, was }) => [serial, was])) },
        after: { prefix, start, digits, devices: rows.length },
        ...(rows.length === 1
          ? { inverse: { path: '/api/v3/ap/update', input: { serial: only.serial, remark: only.was } } }
          : {}),
      });
      await announceDevices(tx, bus, accountId, rows);
      return { renamed: rows.length };
    },
  };
}
