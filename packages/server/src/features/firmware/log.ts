import type { DataOf, firmware, InputOf } from '@yunxun/contract';
import { asRecord, asText } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { containing, macContaining } from '../../platform/search/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { type Job, openWork } from '../jobs/index.ts';
import { runs } from './images.ts';
import { firmwareTables, type UpgradeLogTable } from './tables.ts';

type FirmwareFacts = Awaited<ReturnType<typeof fleetDevices.firmware>>[number];

type Fault = { to: string; reason: string };
interface Booted {
  reason: string | null;
  firmware: string | null;
}

const restarting = ['reboot', 'agent_upgrade', 'firmware'] as const;
const upgradeJobs: ReadonlySet<string> = new Set(['agent_upgrade', 'firmware']);
/** Values of `connect.reason` that mean an upgrade. */
const upgrading: ReadonlySet<string> = new Set(['upgrade', 'upgradefailed']);
/** Characters of a version. */
const maxVersion = 256;
const keptDays = 400;
const dayMs = 86_400_000;

export function createUpgradeLog({ database, clock }: { database: Database; clock: Clock }) {
  async function write(tx: Tx, row: Omit<UpgradeLogTable, 'id' | 'at'>): Promise<void> {
    await firmwareTables(tx)
      .insertInto('upgrade_log')
      .values({ ...row, id: newId(), at: clock.now() })
      .execute();
  }

  return {
    /** Logs an upgrade that failed, unless a boot of its job has logged it. */
    async writeFailure(tx: Tx, device: FirmwareFacts, job: Job, { to, reason }: Fault): Promise<void> {
      const { serial, name, gwid, firmware: from } = device;
      const logged = await firmwareTables(tx)
        .selectFrom('upgrade_log')
        .select('id')
        .where('account_id', '=', job.account_id)
        .where('serial', '=', serial)
        .where('job_id', '=', job.id)
        .where('result', '=', 'failed')
        .executeTakeFirst();
      if (logged) return;
      await write(tx, {
        account_id: job.account_id,
        serial,
        name,
        gwid,
        action: 'upgrade',
        from_version: from,
        to_version: to,
        trigger: job.plan ? 'plan' : 'user',
        operator: job.operator,
        result: 'failed',
        reason,
        seconds: null,
        job_id: job.id,
      });
    },

    /**
     * Logs in the session's transaction. `connect.reason` may be lost, and switches send none: a changed version is
     * always an upgrade.
     */
    async booted(tx: Tx, ref: DeviceRef, { reason: word, firmware: reported }: Booted): Promise<void> {
      const reason = word && word !== 'socket' ? word : null;
      const [before] = await fleetDevices.firmware(tx, ref.accountId, [ref.serial]);
      // first connection
      if (!before?.firstSeen) return;
      const changed = reported !== null && before.firmware !== null && reported !== before.firmware;
      if (reason === null && !changed) return;
      const doing = await openWork.find(tx, ref.accountId, ref.serial, restarting);
      const upgrade = doing && upgradeJobs.has(doing.type) ? doing : null;
      const wanted = asText(asRecord<{ version: unknown }>(upgrade?.params).version, maxVersion);
      const isCommanded = upgrade !== null && before.restartingSince !== null;
      const missed = isCommanded && !runs(reported ?? before.firmware, String(wanted));
      const failed = missed || reason === 'upgradefailed';
      await write(tx, {
        account_id: ref.accountId,
        serial: ref.serial,
        name: before.name,
        gwid: before.gwid,
        action: changed || missed || (reason && upgrading.has(reason)) ? 'upgrade' : 'restart',
        from_version: before.firmware,
        to_version: failed ? wanted : (reported ?? before.firmware),
        trigger: doing?.planned ? 'plan' : doing || before.restartingSince ? 'user' : 'device',
        operator: doing?.operator ?? null,
        result: failed ? 'failed' : 'success',
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
        const pattern = containing(input.keyword);
        const mac = macContaining(input.keyword);
        own = own.where((where) =>
          where.or([where('name', 'ilike', pattern), ...(mac ? [where('serial', 'like', mac)] : [])]),
        );
      }
      const direction = input.order === 'asc' ? 'asc' : 'desc';
      const rows = await own
        .selectAll()
        .orderBy(
          input.sort === 'seconds' ? sql`seconds ${sql.raw(direction)} nulls last` : sql`at ${sql.raw(direction)}`,
        )
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
          network: row.gwid ? ((await fleetNetworks.name(tx, accountId, row.gwid)) ?? null) : null,
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

/** Counts from the command, else from going offline; null if unknown. */
function secondsSince({ restartingSince, online, offlineSince }: FirmwareFacts, now: Date): number | null {
  const since = restartingSince ?? (online ? null : offlineSince);
  return since && Math.max(0, Math.round((now.getTime() - since.getTime()) / 1000));
}
