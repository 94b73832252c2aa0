import { type Tx, tables } from '../../platform/database/index.ts';
import type { PortalContent } from './content.ts';

interface SitePageTables {
  portal_site_page: {
    account_id: string;
    gwid: string;
    template_id: string;
    page: PortalContent['page'];
    revision: number;
    updated_at: Date;
    updated_by: string;
  };
}
export type SitePage = SitePageTables['portal_site_page'];

const db = (tx: Tx) => tables<SitePageTables>(tx);

/** `lock`: until the end of the transaction. */
export function findSitePage(
  tx: Tx,
  { accountId, gwid, id }: { accountId: string; gwid: string; id: string },
  lock = false,
): Promise<SitePage | undefined> {
  const query = db(tx)
    .selectFrom('portal_site_page')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('template_id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Returns false if another save came first. */
export async function putSitePage(tx: Tx, { page, ...row }: SitePage): Promise<boolean> {
  const { account_id, gwid, template_id, revision, ...by } = row;
  const text = JSON.stringify(page) as never;
  if (revision === 1) {
    const made = await db(tx)
      .insertInto('portal_site_page')
      .values({ ...row, page: text })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return made.numInsertedOrUpdatedRows === 1n;
  }
  const changed = await db(tx)
    .updateTable('portal_site_page')
    .set({ ...by, page: text, revision })
    .where('account_id', '=', account_id)
    .where('gwid', '=', gwid)
    .where('template_id', '=', template_id)
    .where('revision', '=', revision - 1)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

export async function deleteSitePage(tx: Tx, { account_id, gwid, template_id }: SitePage): Promise<void> {
  await db(tx)
    .deleteFrom('portal_site_page')
    .where('account_id', '=', account_id)
    .where('gwid', '=', gwid)
    .where('template_id', '=', template_id)
    .execute();
}

/** @returns the number of copies */
export async function deleteSitePages(tx: Tx, accountId: string, gwid: string): Promise<number> {
  const gone = await db(tx)
    .deleteFrom('portal_site_page')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}
