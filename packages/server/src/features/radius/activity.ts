import type { RadiusRefusal } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Nas } from './nas-index.ts';

type Counted = 'accepted' | 'rejected' | 'accounted';

interface Change extends Record<Counted, number> {
  accountId: string;
  id: string;
  seenAt: Date | null;
  refusedAt: Date | null;
  refusal: RadiusRefusal | null;
}

/** Milliseconds. */
const writeEvery = 1000;

export interface Activity {
  count(nas: Nas, what: Counted): void;
  refused(candidates: readonly Nas[], why: RadiusRefusal): void;
  stop(): Promise<void>;
}

/** Writes once a second, whatever the packets. */
export function createActivity({ database, clock, log }: { database: Database; clock: Clock; log: Log }): Activity {
  let changes = new Map<string, Change>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function changeOf({ accountId, id }: Nas): Change {
    let change = changes.get(id);
    if (!change) {
      change = { accountId, id, accepted: 0, rejected: 0, accounted: 0, seenAt: null, refusedAt: null, refusal: null };
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
    refused(candidates, why) {
      for (const nas of candidates) Object.assign(changeOf(nas), { refusal: why, refusedAt: clock.now() });
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
      refused_at = coalesce(c.refused_at, n.refused_at), refusal = coalesce(c.refusal, n.refusal)
    from unnest(
      ${column('accountId')}::uuid[], ${column('id')}::uuid[], ${column('accepted')}::bigint[],
      ${column('rejected')}::bigint[], ${column('accounted')}::bigint[], ${column('seenAt')}::timestamptz[],
      ${column('refusedAt')}::timestamptz[], ${column('refusal')}::text[]
    ) as c(account_id, id, accepted, rejected, accounted, seen_at, refused_at, refusal)
    where n.account_id = c.account_id and n.id = c.id
  `.execute(database.system);
}
