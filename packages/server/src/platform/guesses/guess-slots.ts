import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import { type Count, peekCount } from './throttle.ts';

export interface GuessLimit {
  /** Of the table `throttle`. */
  key: string;
  limit: number;
  /** Milliseconds from the first wrong guess. */
  windowMs: number;
}

export interface GuessSlot {
  /** Lets go of the slot; `forgets` the wrong guesses before. */
  right(options?: { forgets: boolean }): Promise<void>;
  /** @returns the wrong guesses of the window, this one included */
  wrong(): Promise<Count>;
}

export type GuessRefusal = { refusal: 'locked' | 'busy'; count: Count };

export type Checked<T> = { outcome: 'right'; value: T } | { outcome: 'wrong' | 'locked' | 'busy'; count: Count };

/** Milliseconds: of a crashed check's slot; of a guess; between looks. */
const times = { lease: 15_000, wait: 20_000, poll: 50 } as const;

/**
 * Bounds wrong guesses over all processes without refusing right ones: a check takes a slot, or waits for one.
 */
export function createGuessSlots({ database, clock }: { database: Database; clock: Clock }) {
  const queues = new Map<string, Promise<unknown>>();
  /** Of the first in each queue. */
  const wakers = new Map<string, () => void>();

  function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (queues.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    queues.set(key, settled);
    void settled.then(() => {
      if (queues.get(key) === settled) queues.delete(key);
    });
    return turn;
  }

  const nextLook = (key: string) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, times.poll);
      wakers.set(key, () => {
        clearTimeout(timer);
        resolve();
      });
    }).finally(() => wakers.delete(key));

  function slotOf(guess: GuessLimit, lease: Date): GuessSlot {
    const { key, windowMs } = guess;
    return {
      async right(options = { forgets: false }) {
        await letGo(database, key, lease, options.forgets);
        wakers.get(key)?.();
      },
      async wrong() {
        const now = clock.now();
        const count = await countWrong(database, key, { lease, now, until: new Date(now.getTime() + windowMs) });
        wakers.get(key)?.();
        return count;
      },
    };
  }

  /** The caller settles the slot. */
  function reserve(guess: GuessLimit): Promise<GuessSlot | GuessRefusal> {
    const until = performance.now() + times.wait;
    return inTurn(guess.key, async () => {
      for (;;) {
        const now = clock.now();
        const lease = new Date(now.getTime() + times.lease);
        if (await takeSlot(database, guess, now, lease)) return slotOf(guess, lease);
        const count = await database.withSystem((tx) => peekCount(tx, guess.key, now));
        if (count.count >= guess.limit) return { refusal: 'locked', count };
        if (performance.now() >= until) return { refusal: 'busy', count };
        await nextLook(guess.key);
      }
    });
  }

  return {
    reserve,
    /**
     * Null is a wrong guess.
     * @throws what `work` throws, uncounted
     */
    async check<T>(guess: GuessLimit & { forgets?: boolean }, work: () => Promise<T | null>): Promise<Checked<T>> {
      const slot = await reserve(guess);
      if ('refusal' in slot) return { outcome: slot.refusal, count: slot.count };
      let value: T | null;
      try {
        value = await work();
      } catch (error) {
        await slot.right();
        throw error;
      }
      if (value === null) return { outcome: 'wrong', count: await slot.wrong() };
      await slot.right({ forgets: guess.forgets ?? false });
      return { outcome: 'right', value };
    },
  };
}

export type GuessSlots = ReturnType<typeof createGuessSlots>;

type System = Pick<Database, 'system'>;

/** The row's lock orders concurrent calls. */
async function takeSlot({ system }: System, guess: GuessLimit, now: Date, lease: Date): Promise<boolean> {
  const { key, limit, windowMs } = guess;
  const live = sql`array(select r from unnest(t.running) r where r > ${now})`;
  const count = sql`case when t.expires_at <= ${now} then 0 else t.count end`;
  const taken = await sql`
    insert into throttle as t (key, count, expires_at, running)
    values (${key}, 0, ${new Date(now.getTime() + windowMs)}, array[${lease}::timestamptz])
    on conflict (key) do update set
      count = ${count},
      expires_at = case when t.expires_at <= ${now} then excluded.expires_at else t.expires_at end,
      running = ${live} || excluded.running
    where ${count} + cardinality(${live}) < ${limit}
    returning 1
  `.execute(system);
  return taken.rows.length > 0;
}

/** Equal leases are interchangeable. */
const without = (lease: Date) => {
  const at = sql`array_position(t.running, ${lease}::timestamptz)`;
  return sql`coalesce(t.running[:${at} - 1] || t.running[${at} + 1:], t.running)`;
};

async function letGo({ system }: System, key: string, lease: Date, forgets: boolean): Promise<void> {
  await sql`
    update throttle t set running = ${without(lease)}, count = case when ${forgets} then 0 else t.count end
    where key = ${key}
  `.execute(system);
}

async function countWrong(
  { system }: System,
  key: string,
  { lease, now, until }: Record<'lease' | 'now' | 'until', Date>,
): Promise<Count> {
  const isFirst = sql`t.expires_at <= ${now} or t.count = 0`;
  const { rows } = await sql<{ count: number; expires_at: Date }>`
    insert into throttle as t (key, count, expires_at) values (${key}, 1, ${until})
    on conflict (key) do update set
      count = case when ${isFirst} then 1 else t.count + 1 end,
      expires_at = case when ${isFirst} then excluded.expires_at else t.expires_at end,
      running = ${without(lease)}
    returning count, expires_at
  `.execute(system);
  return { count: rows[0]!.count, expiresAt: rows[0]!.expires_at };
}
