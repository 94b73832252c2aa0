import type { billingClearing as contract, DataOf, InputOf } from '@yunxun/contract';
import { type Selectable, sql } from 'kysely';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { containing } from '../../../platform/search/index.ts';
import { fenOf, yuan } from '../service.ts';
import type { Batch, Movement, Unmatched } from './matching.ts';
import { type ClearingTables, clearingTables, type Provider } from './tables.ts';

export type PayoutRow = Selectable<ClearingTables['clearing_payout']>;

interface NewPayout {
  provider: Provider;
  number: string;
  day: string;
  grossFen: number;
  feeFen: number;
  matched: readonly Movement[];
  unmatched: readonly Unmatched[];
  file: string | null;
  at: Date;
  by: string;
}

const linesAtOnce = 1000;

export async function lockProvider(tx: Tx, provider: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`clearing ${provider}`}, 0))`.execute(tx);
}

export async function bookPayout(tx: Tx, payout: NewPayout): Promise<string> {
  const { provider, number, day, grossFen, feeFen, matched, unmatched, file, at, by } = payout;
  const id = newId(at.getTime());
  const clearing = clearingTables(tx);
  await clearing
    .insertInto('clearing_payout')
    .values({
      id,
      provider,
      number,
      day,
      gross_fen: grossFen,
      fee_fen: feeFen,
      matched_fen: matched.reduce((sum, { fen }) => sum + fen, 0),
      movements: matched.length,
      file,
      at,
      by,
    })
    .execute();
  for (let from = 0; from < unmatched.length; from += linesAtOnce)
    await clearing
      .insertInto('clearing_line')
      .values(
        unmatched.slice(from, from + linesAtOnce).map(({ line, result, oursFen }, index) => ({
          payout_id: id,
          seq: from + index,
          result,
          reference: line.reference,
          order_no: line.orderNo,
          fen: line.fen,
          ours_fen: oursFen,
        })),
      )
      .execute();
  await settle(tx, id, matched);
  return id;
}

/** @throws Error if one was settled meanwhile */
async function settle(tx: Tx, payoutId: string, matched: readonly Movement[]): Promise<void> {
  if (matched.length === 0) return;
  const accounts = matched.map(({ account_id }) => account_id);
  const keys = matched.map(({ key }) => key);
  const { numAffectedRows } = await sql`
    update clearing_movement m set payout_id = ${payoutId}
    from unnest(${accounts}::uuid[], ${keys}::text[]) as settled (account_id, key)
    where m.account_id = settled.account_id and m.key = settled.key and m.payout_id is null`.execute(tx);
  if (Number(numAffectedRows) !== matched.length) throw new Error('a movement is in another batch already');
}

export async function payoutByNumber(tx: Tx, provider: Provider, number: string): Promise<PayoutRow | null> {
  const row = await clearingTables(tx)
    .selectFrom('clearing_payout')
    .selectAll()
    .where('provider', '=', provider)
    .where('number', '=', number)
    .where('reversed_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Books all open movements of some days. @throws Invalid beside `number`, `last_day`, `gross` */
export async function enterPayout(
  tx: Tx,
  input: InputOf<typeof contract.payoutCreate>,
  { hoursEast, at, by }: { hoursEast: number; at: Date; by: string },
): Promise<DataOf<typeof contract.payoutCreate> & { repeated: boolean }> {
  const { provider, number, day, first_day, last_day, difference = false } = input;
  const [grossFen, feeFen] = [signedFen(input.gross), signedFen(input.fee)];
  await lockProvider(tx, provider);
  const known = await payoutByNumber(tx, provider, number);
  if (known) {
    if (known.day !== day || known.gross_fen !== grossFen || known.fee_fen !== feeFen)
      invalid('number', 'clearing.number_used');
    return { id: known.id, movements: known.movements, repeated: true };
  }
  if (last_day < first_day) invalid('last_day', 'clearing.days_order');
  const startOf = (text: string, days = 0) => new Date(Date.parse(text) + days * 86_400_000 - hoursEast * 3_600_000);
  const matched = await clearingTables(tx)
    .selectFrom('clearing_movement')
    .selectAll()
    .where('provider', '=', provider)
    .where('payout_id', 'is', null)
    .where('at', '>=', startOf(first_day))
    .where('at', '<', startOf(last_day, 1))
    .execute();
  const oursFen = matched.reduce((sum, { fen }) => sum + fen, 0);
  if (oursFen !== grossFen && !difference) invalid('gross', 'clearing.difference', { ours: yuan(oursFen) });
  const entered = { provider, number, day, grossFen, feeFen, matched, unmatched: [], file: null, at, by };
  return { id: await bookPayout(tx, entered), movements: matched.length, repeated: false };
}

export const signedFen = (text: string): number => (text.startsWith('-') ? -fenOf(text.slice(1)) : fenOf(text));

/** Releases its movements. @throws Failure notFound; changedMeanwhile if reversed, or arrived */
export async function reversePayout(
  tx: Tx,
  id: string,
  reversal: { reversed_at: Date; reversed_by: string },
): Promise<PayoutRow> {
  const clearing = clearingTables(tx);
  const payout = await clearing.selectFrom('clearing_payout').selectAll().where('id', '=', id).executeTakeFirst();
  if (!payout) throw new Failure('notFound');
  await lockProvider(tx, payout.provider);
  const arrived = await clearing
    .selectFrom('clearing_arrival')
    .select('id')
    .where('payout_id', '=', id)
    .where('reversed_at', 'is', null)
    .executeTakeFirst();
  if (arrived) throw new Failure('changedMeanwhile', { params: { kind: 'payout_arrived' } });
  const reversed = await clearing
    .updateTable('clearing_payout')
    .set(reversal)
    .where('id', '=', id)
    .where('reversed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!reversed) throw new Failure('changedMeanwhile');
  await clearing.updateTable('clearing_movement').set({ payout_id: null }).where('payout_id', '=', id).execute();
  return reversed;
}

const payoutOrders = { day: 'day', gross: 'gross_fen', fee: 'fee_fen', net: sql<number>`gross_fen - fee_fen` } as const;

export async function listPayouts(
  tx: Tx,
  { page = 1, limit = 10, sort = 'day', order = 'desc', keyword, provider }: InputOf<typeof contract.payoutList>,
): Promise<DataOf<typeof contract.payoutList>> {
  let found = clearingTables(tx).selectFrom('clearing_payout as p');
  if (provider) found = found.where('provider', '=', provider);
  if (keyword) found = found.where('number', 'ilike', containing(keyword));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll('p')
    .select(
      sql<number>`(select coalesce(sum(a.fen), 0)::bigint from clearing_arrival a
        where a.payout_id = p.id and a.reversed_at is null)`.as('arrived_fen'),
    )
    .orderBy(payoutOrders[sort], order)
    .orderBy('p.id', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    total: Number(total),
    list: rows.map((row) => ({
      id: row.id,
      provider: row.provider,
      number: row.number,
      day: row.day,
      gross: yuan(row.gross_fen),
      fee: yuan(row.fee_fen),
      net: yuan(row.gross_fen - row.fee_fen),
      unassigned: yuan(row.gross_fen - row.matched_fen),
      movements: row.movements,
      arrived: yuan(Number(row.arrived_fen)),
      imported: row.file !== null,
      at: row.at.toISOString(),
      by: row.by,
      reversed_at: row.reversed_at?.toISOString() ?? null,
      reversed_by: row.reversed_by,
    })),
  };
}

export function presentBatch(batch: Batch, booked: boolean) {
  const { number, day, grossFen, feeFen, matched, unmatched, repeated } = batch;
  const differs = unmatched.filter(({ result }) => result === 'differs').length;
  return {
    number,
    day,
    gross: yuan(grossFen),
    fee: yuan(feeFen),
    net: yuan(grossFen - feeFen),
    matched: matched.length - differs,
    unmatched: unmatched.length - differs,
    differs,
    repeated,
    booked,
  };
}
