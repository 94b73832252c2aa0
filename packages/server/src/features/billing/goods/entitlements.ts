import type { PackageTerms } from '@yunxun/contract';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { goodsTables } from './tables.ts';

/** What a guest bought. */
export interface Entitlement {
  id: string;
  terms: PackageTerms;
  started_at: Date | null;
  /** Before the first use, the end of the validity. */
  ends_at: Date;
  refunded_at: Date | null;
}

export interface NewEntitlement {
  accountId: string;
  gwid: string;
  source: 'card' | 'coupon' | 'order';
  sourceId: string;
  packageId: string;
  terms: PackageTerms;
}

const shown = ['id', 'terms', 'started_at', 'ends_at', 'refunded_at'] as const;

/** @throws Error if the card or order has one */
export async function insertEntitlement(tx: Tx, bought: NewEntitlement, now: Date): Promise<Entitlement> {
  const { accountId: account_id, gwid, source, sourceId: source_id, packageId: package_id, terms } = bought;
  return goodsTables(tx)
    .insertInto('billing_entitlement')
    .values({
      account_id,
      id: newId(now.getTime()),
      gwid,
      source,
      source_id,
      package_id,
      terms: JSON.stringify(terms) as unknown as PackageTerms,
      created_at: now,
      started_at: null,
      ends_at: new Date(now.getTime() + terms.valid_days * 86_400_000),
      refunded_at: null,
    })
    .returning(shown)
    .executeTakeFirstOrThrow();
}

export async function findEntitlement(
  tx: Tx,
  accountId: string,
  source: NewEntitlement['source'],
  sourceId: string,
): Promise<Entitlement | null> {
  const row = await goodsTables(tx)
    .selectFrom('billing_entitlement')
    .select(shown)
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return row ?? null;
}

/** Starts the time at the first use; returns its end. */
export async function startEntitlement(tx: Tx, accountId: string, id: string, now: Date): Promise<Date> {
  const row = await goodsTables(tx)
    .selectFrom('billing_entitlement')
    .select(['terms', 'started_at', 'ends_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.started_at) return row.ends_at;
  const { minutes } = row.terms;
  const bought = minutes > 0 ? new Date(now.getTime() + minutes * 60_000) : row.ends_at;
  const ends_at = bought < row.ends_at ? bought : row.ends_at;
  await goodsTables(tx)
    .updateTable('billing_entitlement')
    .set({ started_at: now, ends_at })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  return ends_at;
}

/** Returns the part of a price that whole minutes of the time were used of, in fen. */
export function usedFen(fen: number, entitlement: Entitlement | null, now: Date): number {
  if (!entitlement?.started_at) return 0;
  const minutes = (to: Date) => Math.floor((to.getTime() - entitlement.started_at!.getTime()) / 60_000);
  const all = Math.max(1, minutes(entitlement.ends_at));
  return Math.round((fen * Math.min(all, Math.max(0, minutes(now)))) / all);
}

export const endEntitlement = (
  tx: Tx,
  accountId: string,
  source: 'card' | 'order',
  sourceId: string,
  now: Date,
): Promise<void> => setRefunded(tx, accountId, source, sourceId, now);

export const reopenEntitlement = (tx: Tx, accountId: string, source: 'card' | 'order', sourceId: string) =>
  setRefunded(tx, accountId, source, sourceId, null);

async function setRefunded(
  tx: Tx,
  accountId: string,
  source: 'card' | 'order',
  sourceId: string,
  refunded_at: Date | null,
): Promise<void> {
  await goodsTables(tx)
    .updateTable('billing_entitlement')
    .set({ refunded_at })
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .execute();
}
