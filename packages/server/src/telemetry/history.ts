import { sql } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { keepLock } from './forgetting.ts';
import { createIngest } from './ingest/index.ts';
import { makePartitions } from './partitions.ts';
import { createRollups } from './rollups.ts';
import { reopenUplinkDays } from './uplink-days.ts';
import { createUsersDay, reopenUsersDays } from './users-day.ts';

/** What a device said some time ago: the `params` of a message `state` or `event`. */
export interface Said {
  serial: string;
  /** When it came, milliseconds. */
  at: number;
  method: string;
  params: Readonly<Record<string, unknown>>;
}

/** Takes what devices said in a time that has passed, as if it came now. Devices that report meanwhile must not be among them. */
export interface History {
  /** Makes room for it. From here until the end nothing is dropped for its age. */
  open(): Promise<void>;
  /**
   * Writes what devices of an account said, each in its own order. What is committed already is passed over, so that a
   * history that was interrupted is gone on with from its beginning.
   * @returns how many messages were written
   */
  write(accountId: string, serials: readonly string[], said: Iterable<readonly Said[]>): Promise<number>;
  /** Counts what was written together: rollups, users of days. Days that are closed are opened again. */
  roll(): Promise<void>;
  stop(): Promise<void>;
}

/** So many messages are on their way at a time. */
const most = 1000;
/** The thread does something else after so long, milliseconds. */
const breath = 15;

/** Makes it: reports go through an ingest thread of their own, the same as those that come from sockets. */
export function createHistory(parts: {
  database: Database;
  /** The day that it begins with, `YYYY-MM-DD`. */
  from: string;
  /** The file of the ingest thread. */
  worker: string;
  clock: Clock;
  log: Log;
  /** Ends a writing that is under way. */
  signal: AbortSignal;
}): History {
  const { database, clock, from, signal } = parts;
  const ingest = createIngest({ ...parts, metrics: createMetrics() });
  let underWay = 0;
  let lost: string | null = null;
  let heard: (() => void) | null = null;
  let hold: pg.PoolClient | null = null;
  signal.addEventListener('abort', () => heard?.());

  function put(accountId: string, { serial, at, method, params }: Said): boolean {
    const ref = { accountId, serial };
    const of = { epoch: 1, at: new Date(at) };
    const taken =
      method === 'state'
        ? ingest.state(ref, Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params })), of)
        : ingest.event(ref, params, of);
    if (!taken) return false;
    underWay += 1;
    void taken.then((told) => {
      underWay -= 1;
      if (told && told.outcome !== 'committed') lost ??= `${serial}: ${told.outcome}`;
      heard?.();
    });
    return true;
  }

  async function room(left: number): Promise<void> {
    while (underWay > left && !signal.aborted)
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
  }

  return {
    async open() {
      hold = await database.systemPool.connect();
      await hold.query('select pg_advisory_lock_shared($1)', [keepLock]);
      // where the calendar is ahead of UTC, its day begins in the one before
      const first = new Date(Date.parse(`${from}T00:00:00Z`) - 86_400_000);
      await makePartitions(database, first, clock.now());
    },

    async write(accountId, serials, said) {
      const before = await committed(database, accountId, serials);
      let written = 0;
      let began = performance.now();
      for (const moment of said) {
        for (const one of moment) if (one.at > (before.get(one.serial) ?? 0) && put(accountId, one)) written += 1;
        if (underWay > most) await room(most / 2);
        else if (performance.now() - began > breath) await new Promise((resolve) => setImmediate(resolve));
        else continue;
        signal.throwIfAborted();
        if (lost) throw new Error(`a message of the past was not written: ${lost}`);
        began = performance.now();
      }
      await room(0);
      signal.throwIfAborted();
      await ingest.drain();
      return written;
    },

    async roll() {
      await createRollups(parts).run();
      await database.withSystem(async (tx) => {
        await reopenUsersDays(tx, from);
        await reopenUplinkDays(tx, from);
      });
      const usersDay = createUsersDay(parts);
      await usersDay.run();
      // days that were counted when only a part of them was there
      await usersDay.rebuild(from, clock.now().toISOString().slice(0, 10));
    },

    async stop() {
      await ingest.stop(0);
      // the lock goes with its connection
      hold?.release(true);
      hold = null;
    },
  };
}

/** Up to when the reports of devices are committed, milliseconds. */
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
