import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { portal, type SiteTable } from '../tables.ts';
import type { SiteKey } from '../visit-store.ts';

const seenEveryMs = 60_000;
const noted = boundedCache<number>(50_000);

export async function noteRedirect(tx: Tx, site: SiteTable, serial: string, now: Date): Promise<void> {
  const { account_id: accountId, gwid, secret } = site;
  const key = `${accountId} ${gwid} ${serial} ${secret.toString('base64')}`;
  if (Math.abs(now.getTime() - (noted.get(key) ?? 0)) < seenEveryMs) return;
  noted.set(key, now.getTime());
  await portal(tx)
    .insertInto('portal_access_point')
    .values({ account_id: accountId, gwid, serial, redirected_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'gwid', 'serial']).doUpdateSet({ redirected_at: now }))
    .execute();
}

export async function redirectsOf(tx: Tx, { accountId, gwid }: SiteKey): Promise<ReadonlyMap<string, Date>> {
  const rows = await portal(tx)
    .selectFrom('portal_access_point')
    .select(['serial', 'redirected_at'])
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
  return new Map(rows.map(({ serial, redirected_at: at }) => [serial, at]));
}

/** Redirects with an earlier secret prove nothing. */
export async function forgetRedirects(tx: Tx, { accountId, gwid }: SiteKey): Promise<void> {
  await portal(tx)
    .deleteFrom('portal_access_point')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .execute();
}
