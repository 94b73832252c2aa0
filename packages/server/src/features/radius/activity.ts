import type { RadiusOddity, RadiusRefusal } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Nas } from './nas.ts';

type Counted = 'accepted' | 'rejected' | 'accounted';

interface Change extends Record<Counted, number> {
  accountId: string;
  id: string;
  seenAt: Date | null;
  refusedAt: Date | null;
  refusal: RadiusRefusal | null;
  oddAt: Date | null;
  oddity: RadiusOddity | null;
  sendsGigawords: boolean;
}

type NasKey = Pick<Nas, 'accountId' | 'id'>;

/** Milliseconds. */
const writeEvery = 1000;

export interface Activity {
  count(nas: NasKey, what: Counted): void;
  refused(nases: readonly NasKey[], why: RadiusRefusal): void;
  odd(nas: NasKey, what: RadiusOddity): void;
  gigawords(nas: Nas): void;
  stop(): Promise<void>;
}

/** Writes once a second, whatever the packets. */
export function createActivity({ database, clock, log }: { database: Database; clock: Clock; log: Log }): Activity {
  let changes = new Map<string, Change>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function changeOf({ accountId, id }: NasKey): Change {
    let change = changes.get(id);
    if (!change) {
      change = {
        accountId,
        id,
        accepted: 0,
        rejected: 0,
        accounted: 0,
        seenAt: null,
        refusedAt: null,
        refusal: null,
        oddAt: null,
        oddity: null,
        sendsGigawords: false,
      };
      changes.set(id, change);
    }
    timer ??= setTimeout(() => void flush(), writeEvery).unref();
    return change;
  }

  function flush(): Promise<void> {
    timer = undefined;
    const taken = [...changes.values()];
    changes = new Map();
    writing = writing
      .then(() => write(database, taken))
      .catch((error: unknown) => log.error({ err: error }, 'state of RADIUS clients not written'));
    return writing;
  }

  return {
    count(nas, what) {
      const change = changeOf(nas);
      change[what] += 1;
      change.seenAt = clock.now();
    },
    refused(nases, why) {
      for (const nas of nases) Object.assign(changeOf(nas), { refusal: why, refusedAt: clock.now() });
    },
    odd(nas, what) {
      Object.assign(changeOf(nas), { oddity: what, oddAt: clock.now() });
    },
    gigawords(nas) {
      if (nas.sendsGigawords) return;
      nas.sendsGigawords = true;
      changeOf(nas).sendsGigawords = true;
    },
    async stop() {
      clearTimeout(timer);
      await flush();
    },
  };
}

async function write(database: Database, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const column = <K extends keyof Change>(key: K) => changes.map((change) => change[key]);
  await sql`
    update radius_nas n set
      accepted = n.accepted + c.accepted, rejected = n.rejected + c.rejected, accounted = n.accounted + c.accounted,
      last_seen_at = coalesce(c.seen_at, n.last_seen_at),
      refused_at = coalesce(c.refused_at, n.refused_at), refusal = coalesce(c.refusal, n.refusal),
      odd_at = coalesce(c.odd_at, n.odd_at), oddity = coalesce(c.oddity, n.oddity),
      sends_gigawords = n.sends_gigawords or c.sends_gigawords
    from unnest(
      ${column('accountId')}::uuid[], ${column('id')}::uuid[], ${column('accepted')}::bigint[],
      ${column('rejected')}::bigint[], ${column('accounted')}::bigint[], ${column('seenAt')}::timestamptz[],
      ${column('refusedAt')}::timestamptz[], ${column('refusal')}::text[], ${column('oddAt')}::timestamptz[],
      ${column('oddity')}::text[], ${column('sendsGigawords')}::boolean[]
    ) as c(account_id, id, accepted, rejected, accounted, seen_at, refused_at, refusal, odd_at, oddity, sends_gigawords)
    where n.account_id = c.account_id and n.id = c.id
  `.execute(database.system);
}
