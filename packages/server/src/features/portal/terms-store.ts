import { createHash } from 'node:crypto';
import type { PortalContent } from '@yunxun/contract';
import { type PageLocale, termsOf } from '@yunxun/portal';
import { sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { portal, type TermsTable } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

type Page = PortalContent['page'];

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** Identifies the terms that a page shows; null without any. */
export function termsHash(page: Page, locale: PageLocale): string | null {
  const terms = termsOf(page, locale);
  return terms && hashOf(`${terms.locale}\n${terms.text}`).toString('base64url');
}

/** Keeps the text that the guest accepts; a new text is the next version of its language. Returns its id. */
export async function keepTerms(
  tx: Tx,
  { accountId, gwid }: SiteKey,
  page: Page,
  locale: PageLocale,
  now: Date,
): Promise<string | null> {
  const terms = termsOf(page, locale);
  if (!terms) return null;
  const hash = hashOf(terms.text);
  const known = () =>
    portal(tx)
      .selectFrom('portal_terms')
      .select('id')
      .where('account_id', '=', accountId)
      .where('gwid', '=', gwid)
      .where('locale', '=', terms.locale)
      .where('hash', '=', hash)
      .executeTakeFirst();
  const before = await known();
  if (before) return before.id;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal terms ${gwid}`}, 0))`.execute(tx);
  const meanwhile = await known();
  if (meanwhile) return meanwhile.id;
  const { version } = await portal(tx)
    .selectFrom('portal_terms')
    .select(sql<number>`coalesce(max(version), 0) + 1`.as('version'))
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('locale', '=', terms.locale)
    .executeTakeFirstOrThrow();
  const id = newId(now.getTime());
  await portal(tx)
    .insertInto('portal_terms')
    .values({ account_id: accountId, id, gwid, locale: terms.locale, version, hash, text: terms.text, first_at: now })
    .execute();
  return id;
}

export async function termsById(tx: Tx, accountId: string, ids: readonly string[]): Promise<Map<string, TermsTable>> {
  if (ids.length === 0) return new Map();
  const rows = await portal(tx)
    .selectFrom('portal_terms')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
