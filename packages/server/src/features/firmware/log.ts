import type { DataOf, firmware, InputOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import { type FirmwareFacts, firmwareOf } from '../fleet/firmware-facts.ts';
import { networkName } from '../fleet/managed-devices.ts';
import type { Connecting } from '../fleet/uplink-handlers.ts';
import { doingWith } from '../jobs/doing.ts';
import { firmwareTables, type UpgradeLogTable } from './tables.ts';

/** What a device says of itself when a session begins. */
type Booted = Pick<Parameters<Connecting>[2], 'reason' | 'firmware'>;

/** Jobs after which a device restarts. */
const restarting = ['reboot', 'agent_upgrade', 'firmware'] as const;
/** Words of `connect.reason` that speak of an upgrade. */
const upgrading: ReadonlySet<string> = new Set(['upgrade', 'upgradefailed']);
/** Days that the log is kept. */
const keptDays = 400;
const dayMs = 86_400_000;

/** The log of what devices did: upgrades and restarts, by their own word. */
export function createUpgradeLog({ database, clock }: { database: Database; clock: Clock }) {
  async function write(tx: Tx, row: Omit<UpgradeLogTable, 'id' | 'at'>): Promise<void> {
    await firmwareTables(tx)
      .insertInto('upgrade_log')
      .values({ ...row, id: newId(), at: clock.now() })
      .execute();
  }

  return {
    write,

    /**
     * A session begins: whether with a boot, and what happened, is told by what was known before, and by the device. Part
     * of the transaction that takes note of the session, so that neither is without the other, whenever a process ends. Its
     * word for the boot may be lost with a session that nobody took note of, and switches have none: who runs another
     * version than before was upgraded all the same.
     */
    async booted(tx: Tx, ref: DeviceRef, { reason: word, firmware: said }: Booted): Promise<void> {
      const reason = word && word !== 'socket' ? word : null;
      const [before] = await firmwareOf(tx, ref.accountId, [ref.serial]);
      // a device that was never here did not restart
      if (!before?.firstSeen) return;
      const changed = said !== null && before.firmware !== null && said !== before.firmware;
      if (reason === null && !changed) return;
      const doing = await doingWith(tx, ref.accountId, ref.serial, restarting);
      await write(tx, {
        ...{ account_id: ref.accountId, serial: ref.serial, name: before.name, gwid: before.gwid },
        action: changed || (reason && upgrading.has(reason)) ? 'upgrade' : 'restart',
        from_version: before.firmware,
        to_version: said ?? before.firmware,
        trigger: doing?.planned ? 'plan' : doing || before.restartingSince ? 'user' : 'device',
        operator: doing?.operator ?? null,
        result: reason === 'upgradefailed' ? 'failed' : 'success',
        reason,
        seconds: secondsSince(before, clock.now()),
        job_id: doing?.id ?? null,
      });
    },

    async list(
      tx: Tx,
      accountId: string,
      input: InputOf<typeof firmware.upgradeLog>,
    ): Promise<DataOf<typeof firmware.upgradeLog>> {
      const limit = input.limit ?? 10;
      let own = firmwareTables(tx).selectFrom('upgrade_log').where('account_id', '=', accountId);
      for (const field of ['gwid', 'serial', 'action', 'trigger', 'result'] as const) {
        const value = input[field];
        if (value !== undefined) own = own.where(field, '=', value);
      }
      if (input.keyword) {
        const pattern = `%${input.keyword.replace(/[\\%_]/g, '\\$&')}%`;
        own = own.where((where) => where.or([where('name', 'ilike', pattern), where('serial', 'like', pattern)]));
      }
      const direction = input.order === 'asc' ? 'asc' : 'desc';
      const rows = await own
        .selectAll()
        .orderBy('at', direction)
        .orderBy('id', direction)
        .limit(limit)
        .offset(((input.page ?? 1) - 1) * limit)
        .execute();
      const { total } = await own
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const list = [];
      for (const { account_id: _account, at, ...row } of rows)
        list.push({
          ...row,
          time: at.toISOString(),
          network: row.gwid ? ((await networkName(tx, accountId, row.gwid)) ?? null) : null,
        });
      return { list, total: Number(total) };
    },

    tasks: {
      'upgrade-log-prune': async () => {
        await firmwareTables(database.system)
          .deleteFrom('upgrade_log')
          .where('at', '<', new Date(clock.now().getTime() - keptDays * dayMs))
          .execute();
      },
    },
    schedules: [{ task: 'upgrade-log-prune', cron: '41 4 * * *' }],
  };
}

export type UpgradeLog = ReturnType<typeof createUpgradeLog>;

/** Seconds since the command, else since the device was last here; null where neither is known. */
function secondsSince({ restartingSince, online, offlineSince }: FirmwareFacts, now: Date): number | null {
  const since = restartingSince ?? (online ? null : offlineSince);
  return since && Math.max(0, Math.round((now.getTime() - since.getTime()) / 1000));
}
