import { peripherals as contract, type InputOf } from '@yunxun/contract';
import { normaliseClientMac } from '@yunxun/contract/device';
import { isPrivate, readAddress } from '@yunxun/contract/ipv4';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import { enqueueFollow } from './follow-task.ts';
import { type PeripheralRecord, peripheralTables } from './tables.ts';

export type Given = InputOf<typeof contract.create>;

export function createPeripheralService({ clock }: { clock: Clock }) {
  async function refuseFull(tx: Tx, accountId: string, gwid: string): Promise<void> {
    const { used } = await peripheralTables(tx)
      .selectFrom('peripheral')
      .select((select) => select.fn.countAll<number>().as('used'))
      .where('account_id', '=', accountId)
      .where('gwid', '=', gwid)
      .executeTakeFirstOrThrow();
    const limit = contract.peripheralLimits.network;
    if (used >= limit) throw new Failure('limitReached', { params: { limit, used } });
  }

  async function insert(tx: Tx, acting: Acting, input: Given): Promise<string> {
    const given = { ...input, group: input.group ?? null, mac: macOf(input.mac) };
    refuseWrong(given);
    const { accountId } = acting;
    await refuseFull(tx, accountId, given.gwid);
    const id = newId(clock.now().getTime());
    await peripheralTables(tx)
      .insertInto('peripheral')
      .values({ account_id: accountId, id, screen_port: null, ...given, created_at: clock.now(), ...unmeasured })
      .execute()
      .catch(refuseTaken);
    await record(tx, acting, {
      action: 'peripheral.create',
      object: { type: 'peripheral', id, name: given.name },
      gwid: given.gwid,
      after: given,
      inverse: { path: contract.remove.path, input: { ids: [id] } },
    });
    return id;
  }

  async function follow(tx: Tx, accountId: string, gwids: readonly string[]): Promise<void> {
    for (const gwid of new Set(gwids)) await enqueueFollow(tx, { accountId, gwid });
  }

  return {
    /** Adds all or none. @throws Failure nameExists, limitReached; Invalid */
    async create(tx: Tx, acting: Acting, all: readonly Given[]): Promise<string[]> {
      const ids: string[] = [];
      for (const given of all) ids.push(await insert(tx, acting, given));
      const gwids = all.map(({ gwid }) => gwid);
      await follow(tx, acting.accountId, gwids);
      return ids;
    },

    /** @throws Failure notFound, nameExists, limitReached; Invalid */
    async update(tx: Tx, acting: Acting, { id, ...changes }: InputOf<typeof contract.update>): Promise<void> {
      const { accountId } = acting;
      const [row] = await lockRows(tx, accountId, [id]);
      if (!row) throw new Failure('notFound');
      const before = shown(row);
      const given = { ...before, ...changes, mac: 'mac' in changes ? macOf(changes.mac) : before.mac };
      refuseWrong(given);
      if (before.gwid !== given.gwid) await refuseFull(tx, accountId, given.gwid);
      const isSame = (['gwid', 'ip', 'mode', 'detect_port'] as const).every((key) => before[key] === given[key]);
      if (!isSame) await endOutage(tx, accountId, id, clock.now());
      await peripheralTables(tx)
        .updateTable('peripheral')
        .set({ ...given, ...(isSame ? {} : unmeasured) })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute()
        .catch(refuseTaken);
      if (!isSame) await follow(tx, accountId, [before.gwid, given.gwid]);
      await record(tx, acting, {
        action: 'peripheral.update',
        object: { type: 'peripheral', id, name: given.name },
        gwid: given.gwid,
        before,
        after: given,
        inverse: { path: contract.update.path, input: { id, ...before } },
      });
    },

    /** @throws Failure notFound if one of them is unknown */
    async assignGroup(tx: Tx, acting: Acting, ids: readonly string[], group: string | null): Promise<number> {
      const { accountId } = acting;
      const rows = await lockRows(tx, accountId, ids);
      if (rows.length < ids.length) throw new Failure('notFound');
      const changed = rows.filter((row) => row.group !== group);
      for (const { id, name, gwid, group: before } of changed) {
        await peripheralTables(tx)
          .updateTable('peripheral')
          .set({ group })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .execute();
        await record(tx, acting, {
          action: 'peripheral.group',
          object: { type: 'peripheral', id, name },
          gwid,
          before: { group: before },
          after: { group },
          inverse: { path: contract.groupAssign.path, input: { ids: [id], group: before } },
        });
      }
      return changed.length;
    },

    /** @throws Failure notFound if one of them is unknown */
    async remove(tx: Tx, acting: Acting, ids: readonly string[]): Promise<{ deleted: number }> {
      const { accountId } = acting;
      const rows = await lockRows(tx, accountId, ids);
      if (rows.length < ids.length) throw new Failure('notFound');
      await peripheralTables(tx)
        .deleteFrom('peripheral')
        .where('account_id', '=', accountId)
        .where('id', 'in', [...ids])
        .execute();
      const gwids = rows.map(({ gwid }) => gwid);
      await follow(tx, accountId, gwids);
      for (const row of rows)
        await record(tx, acting, {
          action: 'peripheral.delete',
          object: { type: 'peripheral', id: row.id, name: row.name },
          gwid: row.gwid,
          before: shown(row),
        });
      return { deleted: rows.length };
    },
  };
}

const unmeasured = { alive: null, since: null, rtt_ms: null, checked_at: null };

/** Checks in the transaction's scope. */
export async function knownPeripherals(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await peripheralTables(tx).selectFrom('peripheral').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

function lockRows(tx: Tx, accountId: string, ids: readonly string[]): Promise<PeripheralRecord[]> {
  return peripheralTables(tx)
    .selectFrom('peripheral')
    .selectAll()
    .select(sql<string>`host(ip)`.as('ip'))
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function endOutage(tx: Tx, accountId: string, id: string, at: Date): Promise<void> {
  await peripheralTables(tx)
    .updateTable('peripheral_outage')
    .set({ ended_at: sql<Date>`greatest(began_at, ${at})` })
    .where('account_id', '=', accountId)
    .where('peripheral_id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

const shown = (row: PeripheralRecord): Given & { mac: string | null } => ({
  gwid: row.gwid,
  name: row.name,
  type: row.type,
  group: row.group,
  ip: row.ip,
  mac: row.mac,
  mode: row.mode,
  detect_port: row.detect_port,
  web_port: row.web_port,
  shell_port: row.shell_port,
  screen_port: row.screen_port,
});

/** @throws Invalid */
function macOf(given: string | null | undefined): string | null {
  if (!given) return null;
  return normaliseClientMac(given) ?? invalid('mac', 'validation.mac');
}

/** @throws Invalid */
export function refuseWrong({ ip, mode, detect_port: port, screen_port: screen }: Given): void {
  const address = readAddress(ip);
  if (address === null) invalid('ip', 'validation.ip');
  if (!isPrivate(address)) invalid('ip', 'validation.private_ip');
  if (mode === 'tcp' && port === null) invalid('detect_port', 'validation.required');
  if (mode === 'icmp' && port !== null) invalid('detect_port', 'validation.detect_port_icmp');
  if (screen === contract.peripheralLimits.rdpPort) invalid('screen_port', 'peripheral.rdp_port');
}

/** Translates a unique violation (SQLSTATE 23505). */
function refuseTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'peripheral_target') invalid('ip', 'validation.duplicate');
  throw error;
}

export async function peripheralTarget(tx: Tx, accountId: string, id: string) {
  const [row] = await peripheralTables(tx)
    .selectFrom('peripheral')
    .select(['gwid', 'name', 'type', 'detect_port', 'web_port', 'shell_port', 'screen_port'])
    .select(sql<string>`host(ip)`.as('ip'))
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  return row;
}
