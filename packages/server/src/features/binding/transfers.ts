import type { serialTransfers as contract, DataOf, InputOf } from '@yunxun/contract';
import { objectionHours } from '@yunxun/contract/limits';
import { type Acting, bySystem, requireWholeAccount } from '../../platform/acting.ts';
import { timeText } from '../../platform/calendar.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { assignSerial, lockSerial, type SerialRow } from '../../uplink/index.ts';
import { accounts, bindingCodes } from '../identity/index.ts';
import { recordBoth } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import { binding, type SerialTransferTable } from './tables.ts';

const objectionMs = objectionHours * 3_600_000;
const link = '/waiting_devices';

export interface TransferFleet {
  isConfirmed(tx: Tx, accountId: string, serial: string): Promise<boolean>;
  removeDevice(tx: Tx, acting: Acting, serial: string): Promise<void>;
}

export interface TransferDeps {
  database: Database;
  clock: Clock;
  messages: Pick<Messages, 'post'>;
  fleet: TransferFleet;
}

/** By the installation's administrator. */
export function createTransfers({ database, clock, messages, fleet }: TransferDeps) {
  /** Names neither side to the other. */
  function log(tx: Tx, acting: Acting, move: SerialTransferTable, action: string, more: object = {}): Promise<void> {
    const { serial, account_id: from, to_account_id: to, reason } = move;
    const object = { type: 'device' as const, id: serial, name: serial };
    const operation = { action, object, command: true as const, after: { reason, ...more } };
    const sides = [...new Set([acting.accountId, from, ...(to ? [to] : [])])];
    return recordBoth(
      tx,
      sides.map((accountId) => [{ ...acting, accountId }, operation]),
    );
  }

  /** Adopting and confirming need no device: only one that has connected gives its holder a say. */
  async function mayObject(tx: Tx, { account_id, serial, first_connected_at }: SerialRow): Promise<boolean> {
    return first_connected_at !== null && fleet.isConfirmed(tx, account_id, serial);
  }

  async function decide(
    tx: Tx,
    { account_id, id }: SerialTransferTable,
    change: Pick<SerialTransferTable, 'state' | 'decided_by'> & { objection?: string },
  ): Promise<void> {
    await binding(tx)
      .updateTable('serial_transfer')
      .set({ ...change, decided_at: clock.now() })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute();
  }

  /** Needs the lock on the serial. @throws Failure changedMeanwhile with the time of the move that waits */
  async function refuseSecond(tx: Tx, { account_id, serial }: SerialRow): Promise<void> {
    const waiting = await binding(tx)
      .selectFrom('serial_transfer')
      .select('due_at')
      .where('account_id', '=', account_id)
      .where('serial', '=', serial)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (!waiting) return;
    const params = { kind: 'serial_waits', time: timeText(waiting.due_at, 'UTC') };
    throw new Failure('changedMeanwhile', { params, data: { due_at: waiting.due_at.toISOString() } });
  }

  async function move(tx: Tx, acting: Acting, one: SerialTransferTable): Promise<void> {
    const { account_id: from, serial, to_account_id: to, reason } = one;
    const row = await lockSerial(tx, serial);
    const decided_by = acting.actor?.name ?? acting.source;
    if (row && row.account_id !== from) return decide(tx, one, { state: 'withdrawn', decided_by });
    if (row) await fleet.removeDevice(tx, { ...acting, accountId: from }, serial);
    if (to) await assignSerial(tx, serial, to, clock.now());
    await decide(tx, one, { state: 'moved', decided_by });
    await log(tx, acting, one, 'device.transfer');
    const about = { link } as const;
    await messages.post(tx, from, { ...about, template: 'serialMoved', params: { serial, reason } });
    if (to) await messages.post(tx, to, { ...about, template: 'serialGiven', params: { serial } });
  }

  async function lockWaiting(tx: Tx, id: string): Promise<SerialTransferTable> {
    const row = await binding(tx)
      .selectFrom('serial_transfer')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new Failure('notFound');
    if (row.state !== 'waiting') throw new Failure('changedMeanwhile');
    return row;
  }

  return {
    find: (serial: string): Promise<DataOf<typeof contract.serialFind>> =>
      database.withSystem(async (tx) => {
        const row = await lockSerial(tx, serial);
        if (!row) return { holder: null };
        const { account_id } = row;
        return {
          holder: {
            account_id,
            account: (await accounts.namesOfAccounts(tx, [account_id])).get(account_id) ?? '',
            enrolled_at: row.enrolled_at.toISOString(),
            first_connected_at: row.first_connected_at?.toISOString() ?? null,
            proven_at: row.proven_at?.toISOString() ?? null,
            confirmed: await mayObject(tx, row),
          },
        };
      }),

    listAll: ({ page = 1, limit = 10 }: InputOf<typeof contract.serialList>) =>
      database.withSystem(async (tx): Promise<DataOf<typeof contract.serialList>> => {
        const found = binding(tx).selectFrom('serial_transfer');
        const { total } = await found
          .select((select) => select.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        const rows = await found
          .selectAll()
          .orderBy('asked_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .offset((page - 1) * limit)
          .execute();
        const ids = rows.flatMap(({ account_id, to_account_id }) => [account_id, to_account_id ?? account_id]);
        const names = await accounts.namesOfAccounts(tx, [...new Set(ids)]);
        return {
          list: rows.map(({ id, serial, reason, asked_by, state, decided_by, objection, ...row }) => ({
            id,
            serial,
            reason,
            asked_by,
            state,
            decided_by,
            objection,
            from: names.get(row.account_id) ?? '',
            to: row.to_account_id && (names.get(row.to_account_id) ?? ''),
            asked_at: row.asked_at.toISOString(),
            due_at: row.due_at.toISOString(),
            decided_at: row.decided_at?.toISOString() ?? null,
          })),
          total: Number(total),
        };
      }),

    /** @throws Invalid; Failure changedMeanwhile */
    request: (acting: Acting, { serial, binding_code, reason }: InputOf<typeof contract.serialTransfer>) =>
      database.withSystem(async (tx): Promise<DataOf<typeof contract.serialTransfer>> => {
        const row = (await lockSerial(tx, serial)) ?? invalid('serial', 'validation.serialFree');
        const code = binding_code === undefined ? null : await bindingCodes.findBindingCode(tx, binding_code);
        if (code === undefined) invalid('binding_code', 'validation.bindingCode');
        const to = code?.accountId ?? null;
        if (to === row.account_id) invalid('binding_code', 'validation.serialHolder');
        const at = clock.now();
        await refuseSecond(tx, row);
        const waits = await mayObject(tx, row);
        const due_at = waits ? new Date(at.getTime() + objectionMs) : at;
        const asked: SerialTransferTable = {
          account_id: row.account_id,
          id: newId(at.getTime()),
          serial,
          to_account_id: to,
          reason,
          due_at,
          asked_at: at,
          asked_by: acting.actor?.name ?? acting.source,
          asker_account_id: acting.actor!.homeAccountId,
          asker_id: acting.actor!.userId,
          state: 'waiting',
          decided_at: null,
          decided_by: null,
          objection: null,
        };
        await binding(tx).insertInto('serial_transfer').values(asked).execute();
        if (!waits) {
          await move(tx, acting, asked);
          return { due_at: null };
        }
        await log(tx, acting, asked, 'device.transfer_request', { due_at: due_at.toISOString() });
        const about = { link } as const;
        const params = { serial, hours: objectionHours, reason };
        await messages.post(tx, row.account_id, { ...about, template: 'serialClaimed', params });
        if (to)
          await messages.post(tx, to, {
            ...about,
            template: 'serialAwaited',
            params: { serial, hours: objectionHours },
          });
        return { due_at: due_at.toISOString() };
      }),

    /** @throws Failure changedMeanwhile */
    withdraw: (acting: Acting, { id, reason }: InputOf<typeof contract.serialWithdraw>): Promise<void> =>
      database.withSystem(async (tx) => {
        const row = await lockWaiting(tx, id);
        await decide(tx, row, { state: 'withdrawn', decided_by: acting.actor?.name ?? acting.source });
        await log(tx, acting, row, 'device.transfer_withdraw', { withdrawal: reason });
        const message = { template: 'serialWithdrawn', link } as const;
        for (const side of [row.account_id, row.to_account_id])
          if (side) await messages.post(tx, side, { ...message, params: { serial: row.serial, reason } });
      }),

    async listWaiting(tx: Tx, acting: Acting): Promise<DataOf<typeof contract.transferList>> {
      requireWholeAccount(acting, 'network.bind');
      const rows = await binding(tx)
        .selectFrom('serial_transfer')
        .selectAll()
        .where('account_id', '=', acting.accountId)
        .where('state', '=', 'waiting')
        .where('due_at', '>', clock.now())
        .orderBy('due_at')
        .execute();
      return {
        list: rows.map(({ id, serial, reason, asked_at, due_at }) => ({
          id,
          serial,
          reason,
          asked_at: asked_at.toISOString(),
          due_at: due_at.toISOString(),
        })),
      };
    },

    /** @throws Failure changedMeanwhile */
    object: (acting: Acting, { id, reason: objection }: InputOf<typeof contract.transferObject>): Promise<void> =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting, 'network.bind');
        const row = await lockWaiting(tx, id);
        if (row.account_id !== acting.accountId) throw new Failure('notFound');
        if (row.due_at <= clock.now()) throw new Failure('changedMeanwhile');
        await decide(tx, row, { state: 'objected', decided_by: acting.actor?.name ?? acting.source, objection });
        await log(tx, acting, row, 'device.transfer_object', { objection });
        const params = { serial: row.serial, reason: objection };
        const message = { template: 'serialObjected', params } as const;
        if (row.to_account_id) await messages.post(tx, row.to_account_id, { ...message, link });
        await messages.post(tx, row.asker_account_id, {
          ...message,
          link: '/install?tab=serials',
          personId: row.asker_id,
        });
      }),

    async moveDue(): Promise<void> {
      const due = await binding(database.system)
        .selectFrom('serial_transfer')
        .select('id')
        .where('state', '=', 'waiting')
        .where('due_at', '<=', clock.now())
        .execute();
      for (const { id } of due)
        await database.withSystem(async (tx) => {
          const row = await lockWaiting(tx, id).catch((error: unknown) => {
            if (error instanceof Failure) return null;
            throw error;
          });
          if (row) await move(tx, bySystem(row.account_id), row);
        });
    },

    async unbound(tx: Tx, accountId: string, serials: readonly string[]): Promise<void> {
      await binding(tx)
        .updateTable('serial_transfer')
        .set({ due_at: clock.now() })
        .where('account_id', '=', accountId)
        .where('serial', 'in', [...serials, ''])
        .where('state', '=', 'waiting')
        .execute();
    },

    known: async (tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await binding(tx)
        .selectFrom('serial_transfer')
        .select('id')
        .where('id', 'in', [...ids])
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}
