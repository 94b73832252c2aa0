import { type Entry, withoutZeros } from '../service.ts';
import type { Order, OrderKind } from './order-kind.ts';

/** Goods that `fen` of the order's price pay for, after `before` of it; a coupon lowers the expense. */
export function goodsEntries({ ledger, takenOff }: OrderKind, order: Order, fen: number, before: number): Entry[] {
  const total = takenOff?.(order) ?? 0;
  const shareOf = (paid: number) => Math.floor((total * paid) / order.fen);
  const share = shareOf(before + fen) - shareOf(before);
  return withoutZeros([
    { ledger, fen: fen + share },
    { ledger: 'expense', fen: -share },
  ]);
}
