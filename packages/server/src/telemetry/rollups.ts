import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/index.ts';
import { bucketLength, ceilTo, floorTo, type Layer, layers, recompute, type Stretch, timeOf } from './layers.ts';

/**
 * Closing a bucket waits for running inserts. The trigger on device_sample marks buckets of later reports, so that no
 * report is missed or counted twice. Each step commits with its progress; processes serialise the steps.
 */
export interface Rollups {
  /** Closes buckets, advances every layer, recomputes late ones. */
  run(): Promise<void>;
  /** Rebuilds buckets that touch [from, to), as far as sources are kept. */
  rebuild(from: Date, to: Date): Promise<void>;
}

/** Milliseconds for running inserts. */
const grace = 5_000;
/** As in the trigger on device_sample (migration 0012). */
const closingLock = 0x79756e_01;
const stepLock = 0x79756e_02;
const secondsToClose = 5;
const lateAtOnce = 48;
/** Oldest first. */
const lateOfRun = 288;

/** Calls `step` before each commit, where tests fail transactions. */
export function createRollups({
  database,
  clock,
  step: heard = async () => undefined,
}: {
  database: Database;
  clock: Clock;
  step?: (layer: string, tx: Tx) => Promise<void>;
}): Rollups {
  async function step<T>(layer: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return database.withSystem(async (tx) => {
      await prepareStep(tx);
      const result = await work(tx);
      await heard(layer, tx);
      return result;
    });
  }

  /** Closes: reports before the last full bucket are late from now on. */
  async function close(): Promise<void> {
    const until = floorTo(bucketLength, new Date(clock.now().getTime() - grace));
    await database.withSystem(async (tx) => {
      await sql`select set_config('lock_timeout', ${`${secondsToClose}s`}, true)`.execute(tx);
      await sql`select pg_advisory_xact_lock(${closingLock})`.execute(tx);
      const known = await progressOf(tx, 'device_sample');
      if (known && known >= until) return;
      if (!known) await beginAt(tx, until);
      await setProgress(tx, 'device_sample', until);
    });
  }

  /** @returns whether more remains */
  function advance(layer: Layer): Promise<boolean> {
    return step(layer.table, async (tx) => {
      const below = await progressOf(tx, layer.from);
      if (!below) return false;
      const bound = floorTo(layer.length, below);
      const since = (await progressOf(tx, layer.table)) ?? (await firstOf(tx, layer, bound));
      if (since >= bound) return false;
      const until = new Date(Math.min(ceilTo(layer.length, new Date(since.getTime() + layer.slice)).getTime(), +bound));
      await recompute(layer, [[since, until]]).execute(tx);
      await setProgress(tx, layer.table, until);
      return until < bound;
    });
  }

  async function recomputeLate(layer: Layer, buckets: readonly Date[]): Promise<void> {
    const touched = stretches(buckets, layer);
    for (let first = 0; first < touched.length; first += lateAtOnce) {
      await step(layer.table, async (tx) => {
        const done = await progressOf(tx, layer.table);
        const ready = touched.slice(first, first + lateAtOnce).filter(([, to]) => done && to <= done);
        if (ready.length > 0) await recompute(layer, ready).execute(tx);
      });
    }
  }

  return {
    async run() {
      await close();
      // later ones belong to the next run
      const { rows: late } = await sql<{ id: number; bucket: Date }>`
        select id, bucket from platform.rollup_late where bucket in (
          select distinct bucket from platform.rollup_late order by bucket limit ${lateOfRun})
      `.execute(database.system);
      for (const layer of layers) {
        while (await advance(layer));
        await recomputeLate(
          layer,
          late.map(({ bucket }) => bucket),
        );
      }
      if (late.length === 0) return;
      await sql`delete from platform.rollup_late where id = any(${late.map(({ id }) => id)}::bigint[])`.execute(
        database.system,
      );
    },

    async rebuild(from, to) {
      for (const layer of layers) {
        const slice = Math.max(layer.slice, layer.length);
        let since = floorTo(layer.length, from);
        const end = ceilTo(layer.length, to);
        while (since < end) {
          const until = new Date(Math.min(since.getTime() + slice, +end));
          await step(layer.table, (tx) => rebuildSlice(tx, layer, since, until));
          since = until;
        }
      }
    },
  };
}

/** Leaves buckets whose source was dropped. */
async function rebuildSlice(tx: Tx, layer: Layer, since: Date, until: Date): Promise<void> {
  const [done, kept] = [await progressOf(tx, layer.table), await oldestOf(tx, layer.from)];
  if (!done || !kept) return;
  const from = new Date(Math.max(+since, +ceilTo(layer.length, kept)));
  const to = new Date(Math.min(+until, +done));
  if (from >= to) return;
  await sql`delete from ${sql.table(layer.table)} where bucket >= ${from} and bucket < ${to}`.execute(tx);
  await recompute(layer, [[from, to]]).execute(tx);
}

/** Rolls up [from, to) in the transaction that wrote its reports, as far as layers have come; later it is not late. */
export async function rollUpSpan(tx: Tx, from: Date, to: Date): Promise<void> {
  await prepareStep(tx);
  for (const layer of layers) {
    const done = await progressOf(tx, layer.table);
    if (done) {
      const until = new Date(Math.min(+ceilTo(layer.length, to), +done));
      const since = floorTo(layer.length, from);
      if (since < until) await recompute(layer, [[since, until]]).execute(tx);
    } else await beginLayer(tx, layer);
  }
  await sql`delete from platform.rollup_late where bucket >= ${from} and bucket < ${to}`.execute(tx);
}

/** Rolls up all that is there. */
async function beginLayer(tx: Tx, layer: Layer): Promise<void> {
  const below = await progressOf(tx, layer.from);
  if (!below) return;
  const bound = floorTo(layer.length, below);
  const since = await firstOf(tx, layer, bound);
  if (since >= bound) return;
  await recompute(layer, [[since, bound]]).execute(tx);
  await setProgress(tx, layer.table, bound);
}

/** Serialises, for as long as a day of the past takes; needs memory for large groups. JIT costs more than it saves. */
async function prepareStep(tx: Tx): Promise<void> {
  await sql`select set_config('lock_timeout', '5min', true)`.execute(tx);
  await sql`select pg_advisory_xact_lock(${stepLock})`.execute(tx);
  await sql`select set_config('work_mem', '128MB', true), set_config('jit', 'off', true)`.execute(tx);
}

export async function progressOf(tx: Tx, name: string): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    select until from platform.rollup_progress where name = ${name}
  `.execute(tx);
  return rows[0]?.until ?? null;
}

async function setProgress(tx: Tx, name: string, until: Date): Promise<void> {
  await sql`
    insert into platform.rollup_progress (name, until) values (${name}, ${until})
    on conflict (name) do update set until = excluded.until
  `.execute(tx);
}

/** Starts the first run: existing reports are not late. */
async function beginAt(tx: Tx, until: Date): Promise<void> {
  const { rows } = await sql<{ first: Date | null }>`select min(at) as first from device_sample`.execute(tx);
  const first = rows[0]?.first;
  const begin = first && first < until ? floorTo(bucketLength, first) : until;
  await setProgress(tx, 'rollup_device_5m', begin);
}

async function firstOf(tx: Tx, layer: Layer, bound: Date): Promise<Date> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(${sql.ref(timeOf(layer.from))}) as first from ${sql.table(layer.from)}
  `.execute(tx);
  const first = rows[0]?.first;
  return first && first < bound ? floorTo(layer.length, first) : bound;
}

async function oldestOf(tx: Tx, table: string): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' as first
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass(${table})
  `.execute(tx);
  return rows[0]?.first ?? null;
}

function stretches(buckets: readonly Date[], { length }: Layer): Stretch[] {
  const begins = new Set(buckets.map((bucket) => +floorTo(length, bucket)));
  return [...begins].map((begin) => [new Date(begin), new Date(begin + length)]);
}
