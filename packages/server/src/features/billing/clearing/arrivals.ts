import type { billingClearing as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Selectable } from 'kysely';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { containing } from '../../../platform/search/index.ts';
import { yuan } from '../service.ts';
import { lockProvider, payoutByNumber, signedFen } from './payouts.ts';
import { type ClearingTables, clearingTables } from './tables.ts';

export type ArrivalRow = Selectable<ClearingTables['clearing_arrival']>;

/** A repetition changes nothing. @throws Invalid beside `payout`, `reference`, `amount` */
export async function enterArrival(
  tx: Tx,
  { provider, payout: number, day, reference, amount }: InputOf<typeof contract.arrivalCreate>,
  { at, by }: { at: Date; by: string },
): Promise<{ id: string; repeated: boolean }> {
  const fen = signedFen(amount);
  if (fen === 0) invalid('amount', 'clearing.zero');
  await lockProvider(tx, provider ?? 'own');
  const payout = number !== undefined && provider ? await payoutByNumber(tx, provider, number) : null;
  if (number !== undefined && !payout) invalid('payout', 'clearing.payout_unknown');
  const known = await clearingTables(tx)
    .selectFrom('clearing_arrival')
    .selectAll()
    .where('provider', provider ? '=' : 'is', provider)
    .where('reference', '=', reference)
    .where('reversed_at', 'is', null)
    .executeTakeFirst();
  const payout_id = payout?.id ?? null;
  if (known) {
    if (known.fen !== fen || known.day !== day || known.payout_id !== payout_id)
      invalid('reference', 'clearing.reference_used');
    return { id: known.id, repeated: true };
  }
  const id = newId(at.getTime());
  await clearingTables(tx)
    .insertInto('clearing_arrival')
    .values({ id, day, reference, fen, provider, payout_id, at, by })
    .execute();
  return { id, repeated: false };
}

/** @throws Failure notFound, changedMeanwhile */
export async function reverseArrival(
  tx: Tx,
  id: string,
  reversal: { reversed_at: Date; reversed_by: string },
): Promise<ArrivalRow> {
  const clearing = clearingTables(tx);
  const arrival = await clearing
    .selectFrom('clearing_arrival')
    .select('provider')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!arrival) throw new Failure('notFound');
  await lockProvider(tx, arrival.provider ?? 'own');
  const reversed = await clearing
    .updateTable('clearing_arrival')
    .set(reversal)
    .where('id', '=', id)
    .where('reversed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!reversed) throw new Failure('changedMeanwhile');
  return reversed;
}

export async function listArrivals(
  tx: Tx,
  { page = 1, limit = 10, sort = 'day', order = 'desc', keyword, provider }: InputOf<typeof contract.arrivalList>,
): Promise<DataOf<typeof contract.arrivalList>> {
  let found = clearingTables(tx)
    .selectFrom('clearing_arrival as a')
    .leftJoin('clearing_payout as p', 'p.id', 'a.payout_id');
  if (provider) found = found.where('a.provider', '=', provider);
  if (keyword) found = found.where('a.reference', 'ilike', containing(keyword));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll('a')
    .select('p.number')
    .orderBy(sort === 'amount' ? 'a.fen' : 'a.day', order)
    .orderBy('a.id', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    total: Number(total),
    list: rows.map((row) => ({
      id: row.id,
      day: row.day,
      reference: row.reference,
      amount: yuan(row.fen),
      provider: row.provider,
      payout: row.number,
      at: row.at.toISOString(),
      by: row.by,
      reversed_at: row.reversed_at?.toISOString() ?? null,
      reversed_by: row.reversed_by,
    })),
  };
}
