import type { fleetRestarts as contract, DataOf, InputOf } from '@yunxun/contract';
import { type Acting, bySystem } from '../../../platform/acting.ts';
import { addDays, dayOf, momentOf, weekdayOf } from '../../../platform/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import type { Log } from '../../../platform/log.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { devicesBySerial, lockNetwork } from '../device-store.ts';
import { fleet, type RestartScheduleTable } from '../tables.ts';
import type { createReboots } from './reboot.ts';

export interface RestartScheduleDeps {
  database: Database;
  clock: Clock;
  log: Log;
  reboots: Pick<ReturnType<typeof createReboots>, 'devices' | 'networks'>;
}

type Weekly = Required<Pick<InputOf<typeof contract.restartSave>, 'weekdays' | 'start'>>;
type Row = RestartScheduleTable;
type Listed = DataOf<typeof contract.restartList>;

/** Milliseconds; later, people are at work. */
const lateMs = 60 * 60_000;

export function createRestartSchedules({ database, clock, log, reboots }: RestartScheduleDeps) {
  async function find(tx: Tx, accountId: string, gwid: string, serial: string): Promise<Row | undefined> {
    return fleet(tx)
      .selectFrom('restart_schedule')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('gwid', '=', gwid)
      .where('serial', '=', serial)
      .forUpdate()
      .executeTakeFirst();
  }

  /**
   * Locks the network.
   * @throws Failure notFound; Invalid for a device of another network
   */
  async function subjectOf(
    tx: Tx,
    accountId: string,
    { gwid, serial }: { gwid: string; serial?: string | null | undefined },
  ) {
    const network = await lockNetwork(tx, accountId, gwid);
    if (!network) throw new Failure('notFound');
    if (!serial) return { type: 'network' as const, id: gwid, name: network.remark };
    const [device] = await devicesBySerial(tx, accountId, [serial]);
    if (device?.gwid !== gwid) return invalid('serial', 'validation.choice');
    return { type: 'device' as const, id: serial, name: device.remark };
  }

  async function start(tx: Tx, row: Row, due: Date): Promise<void> {
    const acting = bySystem(row.account_id);
    const [device] = row.serial ? await devicesBySerial(tx, row.account_id, [row.serial]) : [];
    if (row.serial && device?.gwid !== row.gwid) {
      // moved or unbound
      await remove(tx, row);
      return;
    }
    const isLate = clock.now().getTime() - due.getTime() > lateMs;
    const when = { startAt: clock.now() };
    const job = isLate
      ? null
      : await (row.serial
          ? reboots.devices(tx, acting, [row.serial], when)
          : reboots.networks(tx, acting, [row.gwid], when)
        ).catch((error: unknown) => {
          // empty network
          if (error instanceof Failure && error.code === 'deviceOffline') return null;
          throw error;
        });
    await fleet(tx)
      .updateTable('restart_schedule')
      .set({ last_at: due, ...(job && { job_id: job.job_id }) })
      .where('account_id', '=', row.account_id)
      .where('gwid', '=', row.gwid)
      .where('serial', '=', row.serial)
      .execute();
  }

  async function remove(
    tx: Tx,
    { account_id, gwid, serial }: Pick<Row, 'account_id' | 'gwid' | 'serial'>,
  ): Promise<void> {
    await fleet(tx)
      .deleteFrom('restart_schedule')
      .where('account_id', '=', account_id)
      .where('gwid', '=', gwid)
      .where('serial', '=', serial)
      .execute();
  }

  async function run(): Promise<void> {
    const rows = await database.withSystem((tx) => fleet(tx).selectFrom('restart_schedule').selectAll().execute());
    for (const { account_id: accountId, gwid, serial } of rows) {
      try {
        await database.withSystem(async (tx) => {
          const row = await find(tx, accountId, gwid, serial);
          if (!row) return;
          const { time_zone: zone } = await accounts.accountOf(tx, accountId);
          const due = lastOccurrence(weeklyOf(row), zone, clock.now());
          if (due > row.last_at) await start(tx, row, due);
        });
      } catch (error) {
        log.warn({ err: error, account: accountId, gwid }, 'weekly restart not started');
      }
    }
  }

  return {
    async list(tx: Tx, accountId: string, gwid: string): Promise<Listed> {
      const { time_zone } = await accounts.accountOf(tx, accountId);
      const rows = await fleet(tx)
        .selectFrom('restart_schedule as r')
        .innerJoin('network as n', (join) =>
          join.onRef('n.account_id', '=', 'r.account_id').onRef('n.gwid', '=', 'r.gwid'),
        )
        .leftJoin('device as d', (join) =>
          join.onRef('d.account_id', '=', 'r.account_id').onRef('d.serial', '=', 'r.serial'),
        )
        .selectAll('r')
        .select(['n.remark as network', 'd.remark as device'])
        .where('r.account_id', '=', accountId)
        .where('r.gwid', '=', gwid)
        .orderBy('r.serial')
        .execute();
      const list = rows.map((row) => ({
        serial: row.serial || null,
        name: row.serial ? row.device || row.serial : row.network,
        ...weeklyOf(row),
        next_at: nextOccurrence(weeklyOf(row), time_zone, clock.now()).toISOString(),
        job_id: row.job_id,
        created_by: row.created_by,
      }));
      return { list, total: list.length, time_zone };
    },

    /** @throws Failure notFound; changedMeanwhile without a restart that the given fields change; Invalid */
    async save(tx: Tx, acting: Acting, input: InputOf<typeof contract.restartSave>): Promise<{ next_at: string }> {
      const { accountId } = acting;
      const { gwid } = input;
      const serial = input.serial ?? '';
      const object = await subjectOf(tx, accountId, input);
      const before = await find(tx, accountId, gwid, serial);
      const { weekdays, start: time } = { ...(before && weeklyOf(before)), ...input };
      if (weekdays === undefined || time === undefined) throw new Failure('changedMeanwhile');
      const [hours, minutes] = time.split(':').map(Number) as [number, number];
      const values = {
        weekdays: weekdays.toSorted(),
        start_minute: hours * 60 + minutes,
        last_at: clock.now(),
        created_at: clock.now(),
        created_by: acting.actor?.name ?? acting.source,
      };
      await fleet(tx)
        .insertInto('restart_schedule')
        .values({ account_id: accountId, gwid, serial, job_id: null, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'gwid', 'serial']).doUpdateSet(values))
        .execute();
      await record(tx, acting, {
        action: 'network.weekly_restart',
        object,
        gwid,
        before: before ? weeklyOf(before) : null,
        after: { weekdays: values.weekdays, start: time },
        command: true,
      });
      const { time_zone: zone } = await accounts.accountOf(tx, accountId);
      return { next_at: nextOccurrence({ weekdays, start: time }, zone, clock.now()).toISOString() };
    },

    /** @throws Failure notFound */
    async remove(tx: Tx, acting: Acting, input: InputOf<typeof contract.restartDelete>): Promise<void> {
      const { accountId } = acting;
      const { gwid } = input;
      const serial = input.serial ?? '';
      const object = await subjectOf(tx, accountId, input);
      const before = await find(tx, accountId, gwid, serial);
      await remove(tx, { account_id: accountId, gwid, serial });
      await record(tx, acting, {
        action: 'network.weekly_restart_end',
        object,
        gwid,
        before: before ? weeklyOf(before) : null,
        command: true,
      });
    },

    tasks: { 'fleet-weekly-restarts': run },
    schedules: [{ task: 'fleet-weekly-restarts', cron: '* * * * *', exclusive: true as const }],
  };
}

function weeklyOf({ weekdays, start_minute: minute }: Pick<Row, 'weekdays' | 'start_minute'>): Weekly {
  const two = (value: number) => String(value).padStart(2, '0');
  return { weekdays, start: `${two(Math.floor(minute / 60))}:${two(minute % 60)}` };
}

/** Returns a time at or before `now`. */
export function lastOccurrence({ weekdays, start }: Weekly, zone: string, now: Date): Date {
  for (let day = dayOf(now, zone); ; day = addDays(day, -1)) {
    if (!weekdays.includes(weekdayOf(day))) continue;
    const at = momentOf(day, start, zone);
    if (at <= now) return at;
  }
}

export function nextOccurrence({ weekdays, start }: Weekly, zone: string, now: Date): Date {
  for (let day = dayOf(now, zone); ; day = addDays(day, 1)) {
    if (!weekdays.includes(weekdayOf(day))) continue;
    const at = momentOf(day, start, zone);
    if (at > now) return at;
  }
}
