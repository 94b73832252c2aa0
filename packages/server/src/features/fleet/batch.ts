import { fleetBatch as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { record } from '../logs/audit.ts';
import { devicesBySerial, lockNetwork } from './device-store.ts';
import { announce, announceDevices } from './live.ts';
import { gatewaysAmong } from './placed.ts';
import { join } from './placement.ts';
import { fleet } from './tables.ts';
import { nameOf } from './tags.ts';
import type { UnbindRegistry } from './unbind.ts';

/** Objects that an operation names in the call that takes it back. */
const mostUndone = 1000;

export interface BatchDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  unbind: UnbindRegistry;
}

/** Writes on many networks or devices at once: one transaction, and one row of the operation log. */
export function createBatch({ database, bus, clock, unbind }: BatchDeps) {
  return {
    /**
     * Deletes those networks that have no device, with what features keep of them.
     * @throws Failure inUse when every one has some
     */
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
        for (const gwid of empty) await unbind.remove(tx, { accountId, gwid, serials: [], at: clock.now() });
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
     * Moves devices into a network.
     * @returns how many were elsewhere
     * @throws Failure inUse for the gateway of another; limitReached: while a device moves its terminals are locked
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
      for (const device of moving) await join(tx, bus, device, gwid, false);
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
          units: moving.slice(0, mostUndone).map(({ serial, remark, gwid: from }) => ({ serial, remark, gwid: from })),
        },
        after: { gwid, network: network.remark },
        // there is no way back into waiting
        ...(before.size === 1 && from && moved.length <= mostUndone
          ? { inverse: { path: '/api/v3/ap/move', input: { serials: moved, gwid: from } } }
          : {}),
      });
      return { moved: moved.length };
    },

    /** Names devices one after another. @returns how many have another name now */
    async rename(
      tx: Tx,
      acting: Acting,
      serials: readonly string[],
      { prefix, start, digits }: { prefix: string; start: number; digits: number },
    ): Promise<{ renamed: number }> {
      const { accountId } = acting;
      const names = serials.map((_, at) => `${prefix}${String(start + at).padStart(digits, '0')}`);
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
        before: { names: Object.fromEntries(rows.slice(0, mostUndone).map(({ serial, was }) => [serial, was])) },
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
