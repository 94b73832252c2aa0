import { sql } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createIngest } from './ingest/index.ts';
import { makePartitions } from './partitions.ts';
import { createRollups } from './rollups.ts';
import { retentionLock } from './row-retention.ts';
import { reopenUplinkDays } from './uplink-days.ts';
import { createUsersDay, reopenUsersDays } from './users-day.ts';

export interface HistoricReport {
  serial: string;
  /** Arrival, milliseconds. */
  at: number;
  method: string;
  params: Readonly<Record<string, unknown>>;
}

/** Imports past messages of devices that do not report meanwhile. */
export interface History {
  /** Creates partitions; suspends retention until the end. */
  open(): Promise<void>;
  /**
   * Skips committed messages: an import can restart.
   * @returns messages written
   */
  write(accountId: string, serials: readonly string[], reported: Iterable<readonly HistoricReport[]>): Promise<number>;
  /** Updates rollups and daily counts, reopening closed days. */
  rollUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Messages in flight. */
const max = 1000;
/** Milliseconds before yielding. */
const breath = 15;

/** Uses its own ingest thread. */
export function createHistory(parts: {
  database: Database;
  from: string;
  worker: string;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}): History {
  const { database, clock, from, signal } = parts;
  const ingest = createIngest({ ...parts, metrics: createMetrics() });
  let underWay = 0;
  let lost: string | null = null;
  let wake: (() => void) | null = null;
  let hold: pg.PoolClient | null = null;
  signal.addEventListener('abort', () => wake?.());

  function put(accountId: string, { serial, at, method, params }: HistoricReport): boolean {
    const ref = { accountId, serial };
    const of = { epoch: 1, at: new Date(at) };
    const taken =
      method === 'state'
        ? ingest.state(ref, Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params })), of)
        : ingest.event(ref, params, of);
    if (!taken) return false;
    underWay += 1;
    void taken.then((reported) => {
      underWay -= 1;
      if (reported && reported.outcome !== 'committed') lost ??= `${serial}: ${reported.outcome}`;
      wake?.();
    });
    return true;
  }

  async function capacity(left: number): Promise<void> {
    while (underWay > left && !signal.aborted)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }

  return {
    async open() {
      hold = await database.systemPool.connect();
      await hold.query('select pg_advisory_lock_shared($1)', [retentionLock]);
      // time zones ahead of UTC start the day before
      const first = new Date(Date.parse(`${from}T00:00:00Z`) - 86_400_000);
      await makePartitions(database, first, clock.now());
    },

    async write(accountId, serials, reported) {
      const before = await committed(database, accountId, serials);
      let written = 0;
      let began = performance.now();
      for (const moment of reported) {
        for (const one of moment) if (one.at > (before.get(one.serial) ?? 0) && put(accountId, one)) written += 1;
        if (underWay > max) await capacity(max / 2);
        else if (performance.now() - began > breath) await new Promise((resolve) => setImmediate(resolve));
        else continue;
        signal.throwIfAborted();
        if (lost) throw new Error(`a message of the past was not written: ${lost}`);
        began = performance.now();
      }
      await capacity(0);
      signal.throwIfAborted();
      await ingest.drain();
      return written;
    },

    async rollUp() {
      await createRollups(parts).run();
      await database.withSystem(async (tx) => {
        await reopenUsersDays(tx, from);
        await reopenUplinkDays(tx, from);
      });
      const usersDay = createUsersDay(parts);
      await usersDay.run();
      // counted while incomplete
      await usersDay.rebuild(from, clock.now().toISOString().slice(0, 10));
    },

    async stop() {
      await ingest.stop(0);
      // closing the connection releases the lock
      hold?.release(true);
      hold = null;
    },
  };
}

async function committed(
  database: Database,
  accountId: string,
  serials: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await database.withSystem((tx) =>
    sql<{ serial: string; at: Date }>`
      select serial, at from device_counters where account_id = ${accountId} and serial = any(${[...serials]}::text[])
    `.execute(tx),
  );
  return new Map(rows.map(({ serial, at }) => [serial, at.getTime()]));
}
