import type { LoginMethodKind } from '@yunxun/contract';
import { tokenHash } from '../../platform/crypto/index.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { type LoginTable, portal } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

export const loginMinutes = 15;

export async function insertLogin(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  { token, browser, kind, sealed }: { token: string; browser: string; kind: LoginMethodKind; sealed: string },
  now: Date,
): Promise<void> {
  await portal(tx)
    .insertInto('portal_login')
    .values({
      account_id: accountId,
      id: newId(now.getTime()),
      gwid,
      kind,
      sealed,
      token_hash: tokenHash(token),
      browser_hash: tokenHash(browser),
      expires_at: new Date(now.getTime() + loginMinutes * 60_000),
    })
    .execute();
}

/** Takes a login once, for the browser that began it; another browser leaves it. Null if finished or pruned. */
export async function takeLogin(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  { token, browser }: { token: string; browser: string },
  now: Date,
): Promise<{ login: LoginTable; refused: 'login_old' | 'login_browser' | null } | null> {
  const found = await portal(tx)
    .selectFrom('portal_login')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('token_hash', '=', tokenHash(token))
    .forUpdate()
    .executeTakeFirst();
  if (!found) return null;
  if (found.expires_at <= now) return { login: found, refused: 'login_old' };
  if (!found.browser_hash.equals(tokenHash(browser))) return { login: found, refused: 'login_browser' };
  await portal(tx).deleteFrom('portal_login').where('account_id', '=', accountId).where('id', '=', found.id).execute();
  return { login: found, refused: null };
}

/** System transaction. */
export async function pruneLogins(tx: Tx, now: Date): Promise<void> {
  await portal(tx).deleteFrom('portal_login').where('expires_at', '<=', now).execute();
}
