import type { Kysely } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { firmwareTables, type ImageTable } from './tables.ts';

export type Image = ImageTable;

export async function insertImage(tx: Tx, image: Image): Promise<void> {
  await firmwareTables(tx).insertInto('firmware_image').values(image).execute();
}

export function findImage(tx: Tx, accountId: string, id: string): Promise<Image | undefined> {
  return firmwareTables(tx)
    .selectFrom('firmware_image')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function listImages(
  tx: Tx,
  accountId: string,
  page: { offset: number; limit: number; ascending: boolean },
): Promise<{ rows: Image[]; total: number }> {
  const own = firmwareTables(tx).selectFrom('firmware_image').where('account_id', '=', accountId);
  const direction = page.ascending ? 'asc' : 'desc';
  const rows = await own
    .selectAll()
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await own.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

export function readyImages(tx: Tx, accountId: string): Promise<Image[]> {
  return firmwareTables(tx)
    .selectFrom('firmware_image')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ready', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function setReady(tx: Tx, accountId: string, id: string, size: number): Promise<void> {
  await firmwareTables(tx)
    .updateTable('firmware_image')
    .set({ ready: true, size })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function deleteImages(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  await firmwareTables(tx)
    .deleteFrom('firmware_image')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
}

export async function deleteUnfinished(db: Kysely<unknown>, before: Date): Promise<void> {
  await firmwareTables(db)
    .deleteFrom('firmware_image')
    .where('ready', '=', false)
    .where('created_at', '<', before)
    .execute();
}

/** Stores a part; a repeated one replaces the first. */
export async function putPart(
  tx: Tx,
  part: { account_id: string; id: string; part: number; bytes: Buffer },
): Promise<void> {
  await firmwareTables(tx)
    .insertInto('firmware_part')
    .values(part)
    .onConflict((conflict) => conflict.columns(['account_id', 'id', 'part']).doUpdateSet({ bytes: part.bytes }))
    .execute();
}

export async function partsOf(db: Tx | Kysely<unknown>, accountId: string, id: string): Promise<number[]> {
  const rows = await firmwareTables(db)
    .selectFrom('firmware_part')
    .select('part')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .orderBy('part')
    .execute();
  return rows.map(({ part }) => part);
}

export async function readPart(
  db: Tx | Kysely<unknown>,
  accountId: string,
  id: string,
  part: number,
): Promise<Buffer | null> {
  const row = await firmwareTables(db)
    .selectFrom('firmware_part')
    .select('bytes')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

export async function knownImages(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await firmwareTables(tx)
    .selectFrom('firmware_image')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
