import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';
import { type BrowserTable, notifyTables } from './tables.ts';

/** Oldest first. */
export async function readBrowsers(tx: Tx, accountId: string, personId: string): Promise<BrowserTable[]> {
  return notifyTables(tx)
    .selectFrom('alarm_browser')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns the browsers of people, who may belong to several accounts: requires the system role. */
export async function browsersOf(
  tx: Tx,
  people: readonly string[],
): Promise<ReadonlyMap<string, Pick<BrowserTable, 'id' | 'name' | 'person_id'>[]>> {
  const rows = await notifyTables(tx)
    .selectFrom('alarm_browser')
    .select(['id', 'name', 'person_id'])
    .where('person_id', '=', sql<string>`any(${[...people]}::uuid[])`)
    .where('ended_at', 'is', null)
    .orderBy('created_at')
    .execute();
  return grouped(rows, (row) => row.person_id);
}

/** Finds a browser of any account: requires the system role. */
export async function findBrowser(tx: Tx, id: string): Promise<BrowserTable | undefined> {
  return notifyTables(tx)
    .selectFrom('alarm_browser')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** Finds the browser of an endpoint in any account, also one that ended: requires the system role. */
export async function findByFingerprint(tx: Tx, fingerprint: Buffer): Promise<BrowserTable | undefined> {
  return notifyTables(tx)
    .selectFrom('alarm_browser')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .forUpdate()
    .executeTakeFirst();
}

/** Writes a browser, and takes its endpoint from other people: requires the system role. */
export async function writeBrowser(tx: Tx, row: BrowserTable): Promise<void> {
  await notifyTables(tx)
    .deleteFrom('alarm_browser')
    .where('fingerprint', '=', row.fingerprint)
    .where('id', '<>', row.id)
    .execute();
  await notifyTables(tx)
    .insertInto('alarm_browser')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'id']).doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        fingerprint: ref('excluded.fingerprint'),
        sealed: ref('excluded.sealed'),
        ended_at: null,
      })),
    )
    .execute();
}

/** Returns the name of the deleted browser; undefined for one of another person. */
export async function removeBrowser(
  tx: Tx,
  { accountId, personId, id }: { accountId: string; personId: string; id: string },
): Promise<string | undefined> {
  const gone = await notifyTables(tx)
    .deleteFrom('alarm_browser')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return gone?.name;
}

/** Notes the result of the latest message; ends a browser that is gone. */
export async function noteDelivery(
  tx: Tx,
  id: string,
  { at, error, isGone }: { at: Date; error: string | null; isGone: boolean },
): Promise<void> {
  await notifyTables(tx)
    .updateTable('alarm_browser')
    .set({ last_at: at, last_error: error, ...(isGone ? { ended_at: at } : {}) })
    .where('id', '=', id)
    .execute();
}

export async function knownBrowsers(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await notifyTables(tx)
    .selectFrom('alarm_browser')
    .select('id')
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}
