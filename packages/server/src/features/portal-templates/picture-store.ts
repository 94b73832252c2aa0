import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

interface PictureTables {
  portal_picture: {
    account_id: string;
    id: string;
    slot: string;
    mime: string;
    width: number;
    height: number;
    bytes: Buffer;
    sha256: string;
    token: string;
    used_at: Date;
  };
}
export type Picture = PictureTables['portal_picture'];

const db = (tx: Tx) => tables<PictureTables>(tx);

/** Keeps the row of equal content in a slot. */
export async function putPicture(tx: Tx, picture: Picture): Promise<Pick<Picture, 'id' | 'token'>> {
  return db(tx)
    .insertInto('portal_picture')
    .values(picture)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'slot', 'sha256']).doUpdateSet({ used_at: picture.used_at }),
    )
    .returning(['id', 'token'])
    .executeTakeFirstOrThrow();
}

export async function countPictures(tx: Tx, accountId: string): Promise<number> {
  const { total } = await db(tx)
    .selectFrom('portal_picture')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export function picturesOf(tx: Tx, accountId: string, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return db(tx)
    .selectFrom('portal_picture')
    .select(['account_id', 'id', 'slot', 'token', sql<number>`length(bytes)`.as('bytes')])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}

/** Marks as used now, against concurrent removal. Returns existing ones. */
export function usePictures(tx: Tx, accountId: string, ids: readonly string[], now: Date) {
  if (ids.length === 0) return Promise.resolve([]);
  return db(tx)
    .updateTable('portal_picture')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .returning(['id', 'slot'])
    .execute();
}

export function findPicture(tx: Tx, accountId: string, id: string): Promise<Picture | undefined> {
  return db(tx)
    .selectFrom('portal_picture')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function anyPicture(tx: Tx, id: string): Promise<Picture | undefined> {
  return db(tx).selectFrom('portal_picture').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Deletes pictures that no draft, version, page or shop names, last used before `before`. */
export async function deleteUnused(tx: Tx, before: Date): Promise<void> {
  await sql`
    delete from portal_picture p where p.used_at < ${before}
      and not exists (select from portal_template t
        where t.account_id = p.account_id and strpos((t.draft -> 'page')::text, p.id::text) > 0)
      and not exists (select from portal_template_version v
        where v.account_id = p.account_id and strpos((v.content -> 'page')::text, p.id::text) > 0)
      and not exists (select from portal_site_page s
        where s.account_id = p.account_id and strpos(s.page::text, p.id::text) > 0)
      and not exists (select from portal_shop o where o.account_id = p.account_id and o.logo = p.id)
  `.execute(tx);
}
