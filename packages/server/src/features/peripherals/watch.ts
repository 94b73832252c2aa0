import { createHash } from 'node:crypto';
import { asList, asRecord, asText, type EdgeWatchResult, edgeToolMethod } from '@yunxun/contract/device';
import { sql } from 'kysely';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { grouped } from '../../platform/grouped.ts';
import type { Log } from '../../platform/log.ts';
import { readLatestStates } from '../../telemetry/index.ts';
import {
  type DeviceCommands,
  DeviceError,
  DeviceOffline,
  type DeviceRef,
  DeviceTimeout,
  type UplinkHandlers,
} from '../../uplink/index.ts';
import { fleetGateways, type ProbingGateway } from '../fleet/index.ts';
import { enqueueFollow, followTask, type WatchedNetwork } from './follow-task.ts';
import { endOutage } from './service.ts';
import { type PeripheralRecord, peripheralTables } from './tables.ts';

export interface WatchDeps {
  database: Database;
  clock: Clock;
  log: Log;
  devices: Pick<DeviceCommands, 'call'>;
}

/** Milliseconds between probes that count as probed. */
const maxGapMs = 5 * 60_000;
const commandMs = 20_000;

/** Declares targets to gateways with another list: they keep it in memory and lose it at a restart. */
export function createWatch({ database, clock, log, devices }: WatchDeps) {
  /** By gateway: enqueued statuses. */
  const known = boundedCache<string>(50_000);
  const nameOf = ({ accountId, serial }: DeviceRef) => `${accountId}.${serial}`;

  async function run(only: WatchedNetwork | null = null): Promise<void> {
    const { targets, gateways, reported } = await database.withSystem((tx) => readWatches(tx, only));
    const byNetwork = grouped(targets, (row) => row.gwid);
    for (const [gwid, rows] of byNetwork) {
      const gateway = gateways.get(gwid);
      if (!gateway?.probes || !gateway.online) continue;
      try {
        await follow(gateway, rows);
      } catch (error) {
        // unbound meanwhile
        log.warn({ err: error, gwid }, 'probes of peripheral devices not read');
      }
    }
    for (const one of reported) {
      const isCurrent = byNetwork.has(one.gwid) && gateways.get(one.gwid)?.serial === one.serial;
      if (isCurrent || !(await declare({ accountId: one.account_id, serial: one.serial }, []))) continue;
      await database.withSystem((tx) =>
        peripheralTables(tx)
          .deleteFrom('peripheral_watch')
          .where('account_id', '=', one.account_id)
          .where('gwid', '=', one.gwid)
          .where('serial', '=', one.serial)
          .execute(),
      );
    }
  }

  async function follow(gateway: ProbingGateway, rows: readonly PeripheralRecord[]): Promise<void> {
    const { accountId, gwid, serial } = gateway;
    const report = await database.withSystem((tx) => readLatestStates(tx, accountId, [serial]));
    const state = asRecord<{ yunxun: unknown }>(report.get(serial)?.params.state);
    const watch = asRecord<{ revision: unknown; targets: unknown }>(asRecord<{ watch: unknown }>(state.yunxun).watch);
    if (asText(watch.revision, 64) !== revisionOf(rows)) {
      await database.withSystem((tx) =>
        peripheralTables(tx)
          .insertInto('peripheral_watch')
          .values({ account_id: accountId, gwid, serial })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
      await declare(gateway, rows);
      return;
    }
    const byId = new Map(rows.map((row) => [row.id, row]));
    await database.withSystem(async (tx) => {
      for (const given of asList(watch.targets)) {
        const result = readResult(given);
        const row = result && byId.get(result.id);
        if (row) await take(tx, row, result);
      }
    });
  }

  async function take(tx: Tx, known: PeripheralRecord, { alive, since, at, latency_ms: rtt }: Result): Promise<void> {
    const key = { accountId: known.account_id, id: known.id };
    const now = clock.now();
    const checked = new Date(Math.min(at * 1000, now.getTime()));
    const row = await peripheralTables(tx)
      .selectFrom('peripheral')
      .selectAll()
      .where('account_id', '=', key.accountId)
      .where('id', '=', key.id)
      .forUpdate()
      .executeTakeFirst();
    // deleted or edited meanwhile
    if (!row || revisionKey(row) !== revisionKey(known)) return;
    if (row.checked_at && row.checked_at >= checked) return;
    const changed = new Date(Math.min(since * 1000, now.getTime()));
    if (alive) await endOutage(tx, key.accountId, key.id, changed);
    else
      await sql`
        insert into peripheral_outage (account_id, peripheral_id, began_at)
        select ${key.accountId}, ${key.id}, ${changed} where not exists (
          select from peripheral_outage
          where account_id = ${key.accountId} and peripheral_id = ${key.id} and ended_at is null)
        on conflict (account_id, peripheral_id, began_at) do update set ended_at = null
      `.execute(tx);
    const gap = row.checked_at ? checked.getTime() - row.checked_at.getTime() : 0;
    if (gap > 0 && gap <= maxGapMs) {
      const seconds = Math.round(gap / 1000);
      await sql`
        insert into peripheral_day as d (account_id, peripheral_id, day, online_s, offline_s)
        values (${key.accountId}, ${key.id}, (${checked} at time zone 'UTC')::date, ${alive ? seconds : 0},
          ${alive ? 0 : seconds})
        on conflict (account_id, peripheral_id, day)
        do update set online_s = d.online_s + excluded.online_s, offline_s = d.offline_s + excluded.offline_s
      `.execute(tx);
    }
    await peripheralTables(tx)
      .updateTable('peripheral')
      .set({ alive, since: row.alive === alive ? row.since : changed, rtt_ms: rtt, checked_at: checked })
      .where('account_id', '=', key.accountId)
      .where('id', '=', key.id)
      .execute();
  }

  /** @returns whether the gateway accepted the list */
  async function declare(
    ref: { accountId: string; serial: string },
    rows: readonly PeripheralRecord[],
  ): Promise<boolean> {
    const targets = rows.map((row) => ({ id: row.id, address: row.ip, port: row.detect_port }));
    const params = { tool: 'watch', revision: revisionOf(rows), targets } as const;
    try {
      const { status } = await devices.call(ref, edgeToolMethod, params, { timeoutMs: commandMs });
      return asRecord<{ error: unknown }>(status).error === 0;
    } catch (error) {
      if (error instanceof DeviceOffline || error instanceof DeviceTimeout || error instanceof DeviceError)
        return false;
      throw error;
    }
  }

  return {
    joinHandlers: (handlers: UplinkHandlers): UplinkHandlers => ({
      ...handlers,
      async connected(device, connect, link) {
        known.delete(nameOf(device));
        await handlers.connected(device, connect, link);
      },
      async reported(device, report, at) {
        await handlers.reported(device, report, at);
        if (!report.watch || known.get(nameOf(device)) === report.watch) return;
        await database.withSystem(async (tx) => {
          const { accountId, serial } = device;
          const rows = await peripheralTables(tx)
            .selectFrom('peripheral_watch')
            .select('gwid')
            .where('account_id', '=', accountId)
            .where('serial', '=', serial)
            .execute();
          for (const { gwid } of rows) await enqueueFollow(tx, { accountId, gwid });
        });
        known.set(nameOf(device), report.watch);
      },
    }),
    tasks: { 'peripherals-watch': () => run(), [followTask]: (network: WatchedNetwork) => run(network) },
  };
}

async function readWatches(tx: Tx, only: WatchedNetwork | null) {
  let targetsOf = peripheralTables(tx).selectFrom('peripheral');
  let reportedOf = peripheralTables(tx).selectFrom('peripheral_watch');
  if (only) {
    targetsOf = targetsOf.where('account_id', '=', only.accountId).where('gwid', '=', only.gwid);
    reportedOf = reportedOf.where('account_id', '=', only.accountId).where('gwid', '=', only.gwid);
  }
  const targets = await targetsOf.selectAll().select(sql<string>`host(ip)`.as('ip')).orderBy('id').execute();
  const reported = await reportedOf.selectAll().execute();
  const gateways = await fleetGateways.probing(
    tx,
    targets.map((row) => row.gwid),
  );
  return { targets, gateways, reported };
}

type Target = Pick<PeripheralRecord, 'id' | 'ip' | 'detect_port'>;

const revisionKey = ({ id, ip, detect_port: port }: Target) => `${id} ${ip.replace(/\/32$/, '')} ${port}`;

/** Hashes without order. */
function revisionOf(rows: readonly Target[]): string {
  const text = rows.map(revisionKey).toSorted().join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

interface Result {
  id: string;
  alive: boolean;
  since: number;
  at: number;
  latency_ms: number | null;
}

/** Returns a decided result, or null. */
function readResult(given: unknown): Result | null {
  const { id, alive, since, at, latency_ms: rtt } = asRecord<EdgeWatchResult>(given);
  const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
  if (typeof id !== 'string' || typeof alive !== 'boolean' || !isTime(since) || !isTime(at)) return null;
  const isRtt = typeof rtt === 'number' && rtt >= 0 && rtt < 60_000;
  return { id, alive, since, at, latency_ms: isRtt ? rtt : null };
}
