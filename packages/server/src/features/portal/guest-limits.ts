import { limits } from '@yunxun/contract';
import type { Database } from '../../platform/database/index.ts';
import type { GuessSlots } from '../../platform/guesses/index.ts';
import { peekCount } from '../../platform/guesses/index.ts';
import type { FairQueues, Leave, QueueRule } from './fair-queues.ts';
import { Refused } from './refused.ts';
import type { RowKind, RowLimit } from './row-limit.ts';
import type { Source } from './source.ts';
import type { SiteKey } from './visit-store.ts';

/** Wrong ones of a source. */
export const guessLimits = { device: 10, address: 60, minutes: 10 } as const;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const guessWindow = guessLimits.minutes * minuteMs;

/** Shared by all guests of a network: they slow, and refuse none. */
export const queueRules = {
  network: { free: 100, windowMs: guessWindow, everyMs: 250 },
  account: { free: 20, windowMs: guessWindow, everyMs: 1000 },
  prepaid: { free: 60, windowMs: guessWindow, everyMs: 1000 },
  signIns: { free: 2000, windowMs: hourMs, everyMs: 500 },
  purchases: { free: 2000, windowMs: hourMs, everyMs: 500 },
  logins: { free: 2000, windowMs: hourMs, everyMs: 500 },
  codes: { free: limits.guestCodesPerHour.network, windowMs: hourMs, everyMs: 1500 },
  requests: { free: 60, windowMs: hourMs, everyMs: 1500 },
} as const satisfies Record<string, QueueRule>;

export type GuestAct = Exclude<keyof typeof queueRules, 'network' | 'account' | 'prepaid'>;

/** For a source, which must not occupy the database. */
const atOnce: QueueRule = { free: 8, windowMs: minuteMs, everyMs: minuteMs };

interface Visit {
  key: string;
  rule: QueueRule;
  of: 'guess' | 'act' | 'source';
}

export interface Guess {
  /** Secrets that it may hit; null: without a queue of their own. */
  subject: { kind: 'account' | 'prepaid'; name: string } | null;
  /** The device was online by the same method, with the account. */
  isProved: boolean;
}

export interface Asked {
  site: SiteKey;
  source: Source;
  act: GuestAct | null;
  guess: Guess | null;
}

export interface Outcome {
  isDone: boolean;
  isWrong: boolean;
}

const nothing: Outcome = { isDone: false, isWrong: false };

export interface GuestLimitsDeps {
  database: Database;
  slots: GuessSlots;
  queues: FairQueues;
  rows: RowLimit;
}

export function createGuestLimits({ database, slots, queues, rows }: GuestLimitsDeps) {
  const keyOf = ({ gwid }: SiteKey, source: Source) => `portal:${gwid}:${source.key}`;

  const tooMany = (source: Source, seconds: number) => new Refused(`too_many_${source.kind}`, { seconds });

  const secondsUntil = (at: Date, now: Date) => Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000));

  async function lockOf({ site, source }: Asked, now: Date): Promise<Refused | null> {
    const { count, expiresAt } = await database.withSystem((tx) => peekCount(tx, keyOf(site, source), now));
    return count < guessLimits[source.kind] ? null : tooMany(source, secondsUntil(expiresAt, now));
  }

  /** The narrow one is first: a guess that waits there holds no place in the wide one. */
  function queuesOf({ site: { gwid }, source, guess, act }: Asked): Visit[] {
    const found: Visit[] = [];
    if (guess?.subject && !guess.isProved) {
      const { kind, name } = guess.subject;
      found.push({ key: `${gwid} ${kind} ${name}`, rule: queueRules[kind], of: 'guess' });
    }
    if (guess && !guess.isProved) found.push({ key: gwid, rule: queueRules.network, of: 'guess' });
    if (act) found.push({ key: `${gwid} ${act}`, rule: queueRules[act], of: 'act' });
    return [...found, { key: `${gwid} of ${source.key}`, rule: atOnce, of: 'source' }];
  }

  async function inSlot<T extends Outcome>(asked: Asked, now: Date, work: () => Promise<T>): Promise<T | Refused> {
    const { site, source } = asked;
    const limit = guessLimits[source.kind];
    const wrong: T[] = [];
    const checked = await slots.check({ key: keyOf(site, source), limit, windowMs: guessWindow }, async () => {
      const done = await work();
      if (done.isWrong) wrong.push(done);
      return done.isWrong ? null : done;
    });
    if (checked.outcome === 'right') return checked.value;
    if (checked.outcome === 'wrong') return wrong[0]!;
    return checked.outcome === 'busy'
      ? new Refused('busy')
      : tooMany(source, secondsUntil(checked.count.expiresAt, now));
  }

  return {
    /**
     * Runs `work` within the limits, outside of transactions: it may wait for seconds.
     * @returns null if the guest is gone
     */
    async run<T extends Outcome>(
      asked: Asked,
      now: Date,
      gone: AbortSignal,
      work: () => Promise<T>,
    ): Promise<T | Refused | null> {
      const { site, source, act, guess } = asked;
      const locked = guess && (await lockOf(asked, now));
      if (locked) return locked;
      const rowKind: RowKind | null = act === 'codes' || act === 'requests' ? null : act;
      const seconds = rowKind ? rows.wait(site, rowKind, source, now) : 0;
      if (seconds > 0) return tooMany(source, seconds);
      const entered: { leave: Leave; of: Visit['of'] }[] = [];
      let done: T | Refused | null = null;
      try {
        for (const { key, rule, of } of queuesOf(asked)) {
          const leave = await queues.enter(key, rule, source, gone);
          if (!leave) return null;
          entered.push({ leave, of });
        }
        done = guess ? await inSlot(asked, now, work) : await work();
        return done;
      } finally {
        const { isDone, isWrong } = done instanceof Refused || done === null ? nothing : done;
        const guessed = done instanceof Refused ? 'unused' : isWrong ? 'spent' : 'free';
        const left = { guess: guessed, act: isDone ? 'spent' : 'unused', source: 'free' } as const;
        for (const { leave, of } of entered) leave(left[of]);
        if (rowKind && !isDone) rows.giveBack(site, rowKind, source);
      }
    },
  };
}

export type GuestLimits = ReturnType<typeof createGuestLimits>;
