import { type fleetBatch as contract, type DataOf, networksOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import { rankOfRow } from './lists/list-query.ts';
import { announceDevices } from './live.ts';
import { fleet } from './tables.ts';
import { nameOf } from './tags.ts';

type GroupRow = DataOf<typeof contract.groupList>['list'][number];

/** Removes a feature's data in the deleting transaction. */
export type GroupFollower = (tx: Tx, accountId: string, groupId: string) => Promise<void>;

/** A device has at most one group. */
export function createGroups({ bus, clock }: { bus: Bus; clock: Clock }) {
  const followers: GroupFollower[] = [];

  return {
    /** Registers for deletions; `device.changed` announces memberships. */
    follow(follower: GroupFollower): void {
      followers.push(follower);
    },

    /** @throws Failure nameExists; noPermission without access to all networks */
    async create(tx: Tx, acting: Acting, name: string): Promise<{ id: string }> {
      wholeAccount(acting);
      const id = newId(clock.now().getTime());
      const added = await fleet(tx)
        .insertInto('ap_group')
        .values({ account_id: acting.accountId, id, name, created_at: clock.now() })
        .onConflict((conflict) => conflict.expression(sql`account_id, lower(name)`).doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows !== 1n) throw new Failure('nameExists');
      await record(tx, acting, {
        action: 'group.create',
        object: { type: 'group', id, name },
        after: { name },
        inverse: { path: '/api/v3/ap/group/delete', input: { id } },
      });
      return { id };
    },

    /** @throws Failure nameExists, noPermission */
    async rename(tx: Tx, acting: Acting, id: string, name: string): Promise<void> {
      wholeAccount(acting);
      const group = await lock(tx, acting.accountId, id);
      const { rows } = await sql`
        update ap_group set name = ${name} where account_id = ${acting.accountId} and id = ${id}
          and not exists (select 1 from ap_group other
            where other.account_id = ${acting.accountId} and lower(other.name) = lower(${name}) and other.id <> ${id})
        returning id
      `.execute(tx);
      if (rows.length === 0) throw new Failure('nameExists');
      await record(tx, acting, {
        action: 'group.rename',
        object: { type: 'group', id, name },
        before: { name: group.name },
        after: { name },
        inverse: { path: '/api/v3/ap/group/update', input: { id, name: group.name } },
      });
    },

    async remove(tx: Tx, acting: Acting, id: string): Promise<{ released: number }> {
      wholeAccount(acting);
      const { accountId } = acting;
      const { name } = await lock(tx, accountId, id);
      const { rows } = await sql<{ serial: string; gwid: string | null }>`
        update device set group_id = null where account_id = ${accountId} and group_id = ${id} returning serial, gwid
      `.execute(tx);
      const serials = rows.map(({ serial }) => serial);
      for (const follower of followers) await follower(tx, accountId, id);
      await fleet(tx).deleteFrom('ap_group').where('account_id', '=', accountId).where('id', '=', id).execute();
      await record(tx, acting, {
        action: 'group.delete',
        object: { type: 'group', id, name },
        before: { name, serials },
      });
      await announceDevices(tx, bus, accountId, rows);
      return { released: serials.length };
    },

    /** Clears the group if null. */
    async assign(tx: Tx, acting: Acting, serials: readonly string[], id: string | null): Promise<{ changed: number }> {
      const { accountId } = acting;
      const name = id === null ? null : (await lock(tx, accountId, id)).name;
      const { rows } = await sql<{ serial: string; gwid: string | null; remark: string; was: string | null }>`
        with changing as (
          select serial, group_id as was from device
          where account_id = ${accountId} and serial = any(${[...serials]}::text[]) and group_id is distinct from ${id}::uuid
          order by serial for update
        )
        update device d set group_id = ${id}::uuid from changing c where d.account_id = ${accountId} and d.serial = c.serial
        returning d.serial, d.gwid, d.remark, c.was
      `.execute(tx);
      const [only] = rows;
      if (!only) return { changed: 0 };
      const changed = rows.map(({ serial }) => serial);
      const before = new Set(rows.map(({ was }) => was));
      await record(tx, acting, {
        action: 'group.assign',
        object:
          rows.length === 1
            ? { type: 'device', id: only.serial, name: only.remark }
            : { type: 'selection', id: newId(), name: nameOf(rows) },
        gwid: rows.length === 1 ? only.gwid : null,
        before: { groups: [...before] },
        after: { group: name, serials: changed },
        ...(before.size === 1 && changed.length <= 1000
          ? { inverse: { path: '/api/v3/ap/group/assign', input: { serials: changed, id: only.was } } }
          : {}),
      });
      await announceDevices(tx, bus, accountId, rows);
      return { changed: rows.length };
    },

    async list(tx: Tx, accountId: string): Promise<{ list: GroupRow[]; total: number }> {
      const { rows } = await sql<GroupRow>`
        select g.id, g.name, count(d.serial)::int as devices, count(distinct d.gwid)::int as networks,
          (count(d.serial) filter (where ${rankOfRow('d', clock.now())} = 1))::int as online
        from ap_group g left join device d on d.account_id = g.account_id and d.group_id = g.id
        where g.account_id = ${accountId} group by g.id, g.name order by g.name
      `.execute(tx);
      return { list: rows, total: rows.length };
    },
  };
}

export type Groups = ReturnType<typeof createGroups>;

async function lock(tx: Tx, accountId: string, id: string): Promise<{ name: string }> {
  const group = await fleet(tx)
    .selectFrom('ap_group')
    .select('name')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!group) throw new Failure('notFound');
  return group;
}

/** Requires all networks, because groups span them. */
function wholeAccount({ actor }: Acting): void {
  if (actor && networksOf(actor)) {
    throw new Failure('noPermission', { data: { permission: 'network.write', reason: 'networks' } });
  }
}

export async function devicesOfGroups(tx: Tx, accountId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ serial: string }>`
    select serial from device where account_id = ${accountId} and group_id = any(${[...ids]}::uuid[]) order by serial
  `.execute(tx);
  return rows.map(({ serial }) => serial);
}

export async function groupNames(tx: Tx, accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from ap_group where account_id = ${accountId} and id = any(${[...ids]}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function knownGroups(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fleet(tx)
    .selectFrom('ap_group')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
