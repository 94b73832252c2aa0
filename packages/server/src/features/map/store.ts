import type { Selectable } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';

interface MapTables {
  network_place: { account_id: string; gwid: string; lat: number; lng: number; address: string };
}

export type Place = Omit<Selectable<MapTables['network_place']>, 'account_id'>;

const db = (tx: Tx) => tables<MapTables>(tx);

export async function places(tx: Tx, accountId: string): Promise<Place[]> {
  return db(tx)
    .selectFrom('network_place')
    .select(['gwid', 'lat', 'lng', 'address'])
    .where('account_id', '=', accountId)
    .orderBy('gwid')
    .execute();
}

/** Locks the row until the transaction ends. */
export async function lockPlace(tx: Tx, accountId: string, gwid: string): Promise<Place | undefined> {
  return db(tx)
    .selectFrom('network_place')
    .select(['gwid', 'lat', 'lng', 'address'])
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .forUpdate()
    .executeTakeFirst();
}

export async function writePlace(tx: Tx, accountId: string, { gwid, ...place }: Place): Promise<void> {
  await db(tx)
    .insertInto('network_place')
    .values({ account_id: accountId, gwid, ...place })
    .onConflict((conflict) => conflict.columns(['account_id', 'gwid']).doUpdateSet(place))
    .execute();
}

export async function removePlace(tx: Tx, accountId: string, gwid: string): Promise<void> {
  await db(tx).deleteFrom('network_place').where('account_id', '=', accountId).where('gwid', '=', gwid).execute();
}
