import { randomBytes } from 'node:crypto';
import { boundedCache } from '../bounded-cache.ts';
import { type Tx, tables } from '../database/index.ts';
import { createSealer, type Sealer } from './index.ts';

interface AccountKeyTables {
  account_key: { account_id: string; wrapped: Buffer };
}

/** A data key per account, wrapped by the master key. */
export interface AccountKeys {
  of(tx: Tx, accountId: string): Promise<Sealer>;
}

export function createAccountKeys(master: Sealer): AccountKeys {
  const cache = boundedCache<Sealer>(10_000);
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
      // not cached: may be rolled back
      if (!row.wrapped.equals(fresh)) cache.set(accountId, sealer);
      return sealer;
    },
  };
}
