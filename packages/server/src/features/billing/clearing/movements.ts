import { type Insertable, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { Order } from '../orders/order-kind.ts';
import { clearingTables, type MovementRow } from './tables.ts';

type NewMovement = Insertable<MovementRow>;

/** Returns nothing for money that never reaches the installation: play money, the balance, cash that operators keep. */
export function movementOf(
  order: Order,
  movement: Pick<NewMovement, 'key' | 'kind' | 'refund_no' | 'fen' | 'at'>,
): NewMovement[] {
  const { accountId, orderNo, payer, method, currency } = order;
  const isCash = method === 'manual' && payer === 'guest';
  if (currency !== 'CNY' || method === 'balance' || isCash) return [];
  const provider = method === 'manual' ? 'bank' : (method as MovementRow['provider']);
  return [{ ...movement, account_id: accountId, order_no: orderNo, provider, earned: payer === 'guest' }];
}

/** Once per booking of the ledger, in its transaction. */
export async function noteMovements(tx: Tx, movements: readonly NewMovement[]): Promise<void> {
  if (movements.length === 0) return;
  await clearingTables(tx)
    .insertInto('clearing_movement')
    .values(movements)
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .execute();
}

export interface Unsettled {
  fen: number;
  /** Of the newest payment. */
  until: Date | null;
}

/** Sums what guests paid through providers and no batch holds. A refund lowers only its own payment. */
export async function unsettledOf(tx: Tx, accountId: string): Promise<Unsettled> {
  const { rows } = await sql<{ fen: number; until: Date | null }>`
    select coalesce(sum(fen), 0)::bigint as fen, max(at) as until from (
      select sum(fen) as fen, max(at) filter (where kind = 'payment') as at from clearing_movement
      where account_id = ${accountId} and payout_id is null and earned and provider <> 'bank'
      group by order_no having sum(fen) > 0) orders`.execute(tx);
  const { fen, until } = rows[0]!;
  return { fen: Number(fen), until };
}

export function movementOfWithdrawal(
  { account_id, id, fen, fee_fen }: { account_id: string; id: string; fen: number; fee_fen: number },
  at: Date,
): NewMovement {
  const key = `withdrawal:${id}:payment`;
  return { account_id, key, provider: 'bank', kind: 'withdrawal', order_no: id, fen: fee_fen - fen, earned: false, at };
}
