import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { voidProofs } from './radius/proof-voids.ts';
import { portal, type SiteTable } from './tables.ts';

/** Runs in a system transaction. */
export async function findKey(tx: Tx, key: string): Promise<{ accountId: string; gwid: string } | null> {
  const row = await portal(tx)
    .selectFrom('portal_directory')
    .select(['account_id as accountId', 'gwid'])
    .where('key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

/** Adds a key; system transaction. */
export async function insertKey(tx: Tx, key: string, accountId: string, gwid: string): Promise<void> {
  await portal(tx).insertInto('portal_directory').values({ key, account_id: accountId, gwid }).execute();
}

/** Returns null without one; system transaction. */
export async function keyOf(tx: Tx, accountId: string, gwid: string): Promise<string | null> {
  const row = await portal(tx)
    .selectFrom('portal_directory')
    .select('key')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return row?.key ?? null;
}

export async function findSite(tx: Tx, accountId: string, gwid: string, lock = false): Promise<SiteTable | null> {
  const query = portal(tx)
    .selectFrom('portal_site')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid);
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null;
}

/** Two first saves have no row to lock. */
export async function lockSite(tx: Tx, accountId: string, gwid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal_site ${accountId} ${gwid}`}, 0))`.execute(tx);
}

export async function saveSite(tx: Tx, site: SiteTable): Promise<void> {
  const { account_id: _account, gwid: _gwid, ...values } = site;
  await portal(tx)
    .insertInto('portal_site')
    .values(site)
    .onConflict((conflict) => conflict.columns(['account_id', 'gwid']).doUpdateSet(values))
    .execute();
  voidProofs(tx, site.account_id, [`site ${site.gwid}`]);
}

const seenEveryMs = 60_000;

/** Notes it in the row too, at most once a minute. */
export async function noteSeen(tx: Tx, row: SiteTable, now: Date) {
  const { account_id: accountId, gwid, seen_at: seen } = row;
  if (seen && now.getTime() - seen.getTime() < seenEveryMs) return;
  row.seen_at = now;
  await portal(tx)
    .updateTable('portal_site')
    .set({ seen_at: now })
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
}

export async function noteMove(tx: Tx, { account_id: accountId, gwid }: SiteTable, until: Date): Promise<void> {
  await portal(tx)
    .updateTable('portal_site')
    .set({ moves_until: sql<Date>`greatest(moves_until, ${until}::timestamptz)` })
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
}

/** Ends the earlier secret, unless another one was made meanwhile. */
export async function endOldSecret(tx: Tx, { account_id: accountId, gwid, secret }: SiteTable): Promise<void> {
  await portal(tx)
    .updateTable('portal_site')
    .set({ old_secret: null, old_secret_since: null })
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('secret', '=', secret)
    .execute();
}

export async function noteShown(
  tx: Tx,
  { account_id: accountId, gwid }: SiteTable,
  shown: Pick<SiteTable, 'shown_addresses' | 'shown_hash'>,
): Promise<void> {
  await portal(tx)
    .updateTable('portal_site')
    .set(shown)
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
}

/** Finds networks whose edge gateway captures guests; system transaction. */
export function edgeSites(tx: Tx): Promise<{ accountId: string; gwid: string }[]> {
  return portal(tx)
    .selectFrom('portal_site')
    .select(['account_id as accountId', 'gwid'])
    .where('gateway', '=', 'edge')
    .where('enabled', '=', true)
    .orderBy('gwid')
    .execute();
}

export function edgeSitesOf(tx: Tx, accountId: string): Promise<SiteTable[]> {
  return portal(tx)
    .selectFrom('portal_site')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gateway', '=', 'edge')
    .where('enabled', '=', true)
    .orderBy('gwid')
    .execute();
}

export function sitesOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<SiteTable[]> {
  return portal(tx)
    .selectFrom('portal_site')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
}

export async function sitesOfTemplates(tx: Tx, accountId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return portal(tx)
    .selectFrom('portal_site')
    .select(['gwid', 'template_id', 'gateway', 'enabled', 'ssid_ids'])
    .where('account_id', '=', accountId)
    .where('template_id', 'in', [...ids])
    .orderBy('gwid')
    .execute();
}
