import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { boundedCache } from '../bounded-cache.ts';
import { type Tx, tables } from '../database/index.ts';
import { createSealer, type Sealer } from './index.ts';

interface AccountKeyTables {
  account_key: { account_id: string; wrapped: Buffer };
}

export interface AccountKey extends Sealer {
  /** Keyed: guesses cannot be tested without the database's key. */
  hash(value: string, context: string): Buffer;
}

/** A data key per account, wrapped by the master key. */
export interface AccountKeys {
  of(tx: Tx, accountId: string): Promise<AccountKey>;
}

/** Derives the key of hashes: one key must not serve two algorithms. */
function accountKeyOf(key: Buffer): AccountKey {
  const hashKey = Buffer.from(hkdfSync('sha256', key, '', 'account hash', 32));
  const hash = (value: string, context: string) =>
    createHmac('sha256', hashKey).update(`${context}\n${value}`).digest();
  return { ...createSealer(key), hash };
}

export function createAccountKeys(master: Sealer): AccountKeys {
  const cache = boundedCache<AccountKey>(10_000);
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
      const sealer = accountKeyOf(master.open(row.wrapped, context));
      // not cached: may be rolled back
      if (!row.wrapped.equals(fresh)) cache.set(accountId, sealer);
      return sealer;
    },
  };
}
