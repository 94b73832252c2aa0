import type { fleetRestarts as contract, DataOf, InputOf, NetworkRestartScope } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Acting, bySystem } from '../../../platform/acting.ts';
import { addDays, dayOf, momentOf, weekdayOf } from '../../../platform/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Log } from '../../../platform/log.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { devicesBySerial } from '../device-store.ts';
import { fleet, type RestartScheduleTable } from '../tables.ts';
import { nameOf } from '../tags.ts';
import type { createReboots } from './reboot.ts';
import { lockNetworksWith, lockRestarting, loggedTarget, type RestartTarget, targetOf } from './restart-scopes.ts';

export interface RestartScheduleDeps {
  database: Database;
  clock: Clock;
  log: Log;
  reboots: Pick<ReturnType<typeof createReboots>, 'devices' | 'networks'>;
}

type Weekly = Required<Pick<InputOf<typeof contract.restartSave>, 'weekdays' | 'start'>>;
type Row = RestartScheduleTable;
type Key = Pick<Row, 'account_id' | 'gwid' | 'scope' | 'target'>;
type Chosen = Weekly & Pick<InputOf<typeof contract.restartCreate>, 'scope' | 'group_id'>;
type Listed = DataOf<typeof contract.restartList>;

/** Milliseconds; later, people are at work. */
const lateMs = 60 * 60_000;
const maxLogged = 1000;

export function createRestartSchedules({ database, clock, log, reboots }: RestartScheduleDeps) {
  async function find(tx: Tx, key: Key): Promise<Row | undefined> {
    return fleet(tx)
      .selectFrom('restart_schedule')
      .selectAll()
      .where('account_id', '=', key.account_id)
      .where('gwid', '=', key.gwid)
      .where('scope', '=', key.scope)
      .where('target', '=', key.target)
      .forUpdate()
      .executeTakeFirst();
  }

  /** Replaces earlier ones of the same target. */
  async function put(tx: Tx, acting: Acting, gwids: readonly string[], of: RestartTarget, { weekdays, start }: Weekly) {
    const [hours, minutes] = start.split(':').map(Number) as [number, number];
    const now = clock.now();
    await sql`
      insert into restart_schedule (account_id, gwid, scope, target, weekdays, start_minute, last_at, created_at, created_by)
      select ${acting.accountId}::uuid, gwid, ${of.scope}::text, ${of.target}::text, ${weekdays.toSorted()}::integer[],
        ${hours * 60 + minutes}::integer, ${now}::timestamptz, ${now}::timestamptz,
        ${acting.actor?.name ?? acting.source}::text
      from unnest(${[...gwids]}::uuid[]) as n (gwid)
      on conflict (account_id, gwid, scope, target) do update set weekdays = excluded.weekdays,
        start_minute = excluded.start_minute, last_at = excluded.last_at, created_at = excluded.created_at,
        created_by = excluded.created_by
    `.execute(tx);
  }

  async function start(tx: Tx, row: Row, due: Date): Promise<void> {
    const acting = bySystem(row.account_id);
    if (row.scope === 'device') {
      const [device] = await devicesBySerial(tx, row.account_id, [row.target]);
      // moved or unbound
      if (device?.gwid !== row.gwid) return remove(tx, row);
    }
    const isLate = clock.now().getTime() - due.getTime() > lateMs;
    const when = { startAt: clock.now() };
    const job = isLate
      ? null
      : await (row.scope === 'device'
          ? reboots.devices(tx, acting, [row.target], when)
          : reboots.networks(tx, acting, [row.gwid], when, row)
        ).catch((error: unknown) => {
          // no such device
          if (error instanceof Failure && error.code === 'deviceOffline') return null;
          throw error;
        });
    await fleet(tx)
      .updateTable('restart_schedule')
      .set({ last_at: due, ...(job && { job_id: job.job_id }) })
      .where('account_id', '=', row.account_id)
      .where('gwid', '=', row.gwid)
      .where('scope', '=', row.scope)
      .where('target', '=', row.target)
      .execute();
  }

  async function remove(tx: Tx, key: Key): Promise<void> {
    await fleet(tx)
      .deleteFrom('restart_schedule')
      .where('account_id', '=', key.account_id)
      .where('gwid', '=', key.gwid)
      .where('scope', '=', key.scope)
      .where('target', '=', key.target)
      .execute();
  }

  async function run(): Promise<void> {
    const rows = await database.withSystem((tx) => fleet(tx).selectFrom('restart_schedule').selectAll().execute());
    for (const key of rows) {
      try {
        await database.withSystem(async (tx) => {
          const row = await find(tx, key);
          if (!row) return;
          const { time_zone: zone } = await accounts.accountOf(tx, row.account_id);
          const due = lastOccurrence(weeklyOf(row), zone, clock.now());
          if (due > row.last_at) await start(tx, row, due);
        });
      } catch (error) {
        log.warn({ err: error, account: key.account_id, gwid: key.gwid }, 'weekly restart not started');
      }
    }
  }

  async function nextOf(tx: Tx, accountId: string, weekly: Weekly): Promise<{ next_at: string }> {
    const { time_zone: zone } = await accounts.accountOf(tx, accountId);
    return { next_at: nextOccurrence(weekly, zone, clock.now()).toISOString() };
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
          join
            .onRef('d.account_id', '=', 'r.account_id')
            .onRef('d.serial', '=', 'r.target')
            .on('r.scope', '=', 'device'),
        )
        .leftJoin('ap_group as g', (join) =>
          join
            .onRef('g.account_id', '=', 'r.account_id')
            .on(sql<boolean>`g.id::text = r.target`)
            .on('r.scope', '=', 'group'),
        )
        .selectAll('r')
        .select(['n.remark as network', 'd.remark as device', 'g.name as group'])
        .where('r.account_id', '=', accountId)
        .where('r.gwid', '=', gwid)
        .orderBy('r.scope')
        .orderBy('r.target')
        .execute();
      const list = rows.map((row) => ({
        scope: row.scope,
        serial: row.scope === 'device' ? row.target : null,
        group_id: row.scope === 'group' ? row.target : null,
        name: { device: row.device || row.target, group: row.group ?? row.target }[row.scope as string] ?? row.network,
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
      const of = targetOf(input);
      const object = await lockRestarting(tx, accountId, gwid, of);
      const before = await find(tx, { account_id: accountId, gwid, ...of });
      const { weekdays, start: time } = { ...(before && weeklyOf(before)), ...input };
      if (weekdays === undefined || time === undefined) throw new Failure('changedMeanwhile');
      const weekly = { weekdays: weekdays.toSorted(), start: time };
      await put(tx, acting, [gwid], of, weekly);
      const logged = await loggedTarget(tx, accountId, of);
      await record(tx, acting, {
        action: 'network.weekly_restart',
        object,
        gwid,
        before: before ? { ...logged, ...weeklyOf(before) } : null,
        after: { ...logged, ...weekly },
        command: true,
      });
      return nextOf(tx, accountId, weekly);
    },

    /** @throws Invalid */
    async saveMany(
      tx: Tx,
      acting: Acting,
      gwids: readonly string[],
      { scope = 'gateway', group_id, ...weekly }: Chosen,
    ): Promise<DataOf<typeof contract.restartCreate>> {
      const { accountId } = acting;
      const of: RestartTarget & { scope: NetworkRestartScope } = {
        scope,
        target: targetOf({ scope, group_id }).target,
      };
      const networks = await lockNetworksWith(tx, accountId, gwids, of);
      const saved = networks.filter(({ has }) => has);
      const one = saved.length === 1 ? saved[0] : undefined;
      const ids = saved.map(({ gwid }) => gwid);
      await put(tx, acting, ids, of, weekly);
      if (ids.length > 0)
        await record(tx, acting, {
          action: 'network.weekly_restart',
          object: one
            ? { type: 'network', id: one.gwid, name: one.remark }
            : { type: 'selection', id: newId(), name: nameOf(saved) },
          gwid: one?.gwid ?? null,
          after: {
            gwids: ids.slice(0, maxLogged),
            ...(await loggedTarget(tx, accountId, of)),
            weekdays: weekly.weekdays.toSorted(),
            start: weekly.start,
          },
          command: true,
        });
      return {
        list: networks.map(({ gwid, remark, has }) => ({ gwid, name: remark, result: has ? 'saved' : 'no_device' })),
        ...(await nextOf(tx, accountId, weekly)),
      };
    },

    /** @throws Failure notFound; Invalid */
    async remove(tx: Tx, acting: Acting, input: InputOf<typeof contract.restartDelete>): Promise<void> {
      const { accountId } = acting;
      const { gwid } = input;
      const of = targetOf(input);
      const object = await lockRestarting(tx, accountId, gwid, of);
      const key = { account_id: accountId, gwid, ...of };
      const before = await find(tx, key);
      await remove(tx, key);
      const logged = await loggedTarget(tx, accountId, of);
      await record(tx, acting, {
        action: 'network.weekly_restart_end',
        object,
        gwid,
        before: before ? { ...logged, ...weeklyOf(before) } : null,
        command: true,
      });
    },

    async removeOfGroup(tx: Tx, accountId: string, groupId: string): Promise<void> {
      await fleet(tx)
        .deleteFrom('restart_schedule')
        .where('account_id', '=', accountId)
        .where('scope', '=', 'group')
        .where('target', '=', groupId)
        .execute();
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
