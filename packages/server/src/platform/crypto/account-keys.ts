import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Tx, tables } from '../database/index.ts';
import { createSealer, type Sealer } from './index.ts';

interface AccountKeyTables {
  account_key: { account_id: string; wrapped: Buffer };
}

/** Sealers under each account's own data key, which the master key wraps. */
export interface AccountKeys {
  /** The account's sealer; its key is made when it has none yet. */
  of(tx: Tx, accountId: string): Promise<Sealer>;
}

/** Account keys under the given master sealer; unwrapped keys stay in memory, the 10,000 last used. */
export function createAccountKeys(master: Sealer): AccountKeys {
  const cache = new LRUCache<string, Sealer>({ max: 10_000 });
  return {
    async of(tx, accountId) {
      const cached = cache.get(accountId);
      if (cached) return cached;
      const db = tables<AccountKeyTables>(tx);
      const context = `account ${accountId}`;
      const fresh = master.seal(randomBytes(32), context);
      await db
        .insertInto('account_key')
        .values({ account_id: accountId, wrapped: fresh })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom('account_key')
        .select('wrapped')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      const sealer = createSealer(master.open(row.wrapped, context));
      // a key made in a transaction that is rolled back must not be remembered
      if (!row.wrapped.equals(fresh)) cache.set(accountId, sealer);
      return sealer;
    },
  };
}
