import { addDays, startOfDay } from '../../../platform/calendar.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { accounts } from '../../identity/index.ts';
import { fenOf, yuan } from '../service.ts';

export interface Discount {
  kind: 'amount' | 'share';
  amount_fen: number;
  percent: number;
  min_fen: number;
}

type GivenDiscount = Record<'amount' | 'min_price', string> & Pick<Discount, 'kind' | 'percent'>;

export const dayMs = 86_400_000;
/** A payment needs a price. */
const leastFen = 1;
const longestDays = 3650;

/** In fen; something stays to be paid. */
export function takenOffBy({ kind, amount_fen, percent }: Discount, fen: number): number {
  return Math.min(kind === 'amount' ? amount_fen : Math.floor((fen * percent) / 100), fen - leastFen);
}

export function parseDiscount({ kind, amount, percent, min_price }: GivenDiscount): Discount {
  if (kind === 'amount' && fenOf(amount) === 0) invalid('amount', 'validation.yuan');
  return { kind, amount_fen: fenOf(amount), percent, min_fen: fenOf(min_price) };
}

export const presentDiscount = ({ kind, amount_fen, percent, min_fen }: Discount) => ({
  kind,
  amount: yuan(amount_fen),
  percent,
  min_price: yuan(min_fen),
});

/** @throws Invalid beside what an order has used already */
export function refuseFixed(
  before: Discount & { code: string },
  after: Discount & { code: string },
  used: number,
): void {
  const isAmount = after.kind === 'amount';
  const fixed = [
    ['code', before.code !== after.code],
    ['kind', before.kind !== after.kind],
    ['amount', isAmount && before.amount_fen !== after.amount_fen],
    ['percent', !isAmount && before.percent !== after.percent],
  ] as const;
  const changed = fixed.find(([, differs]) => differs);
  if (used > 0 && changed) invalid(changed[0], 'billing.coupon_fixed', { used });
}

/** @throws Failure changedMeanwhile */
export function refuseEnded({ ended_at }: { ended_at: Date | null }): void {
  if (ended_at) throw new Failure('changedMeanwhile', { params: { kind: 'coupon_ended' } });
}

/** @returns the end of the day in the account's zone @throws Invalid for a day that is over or too far */
export async function endOf(tx: Tx, accountId: string, day: string, now: Date): Promise<Date> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const until = startOfDay(addDays(day, 1), zone);
  if (until <= now) invalid('until', 'billing.coupon_day_over');
  if (until.getTime() > now.getTime() + longestDays * dayMs) invalid('until', 'billing.coupon_day_far');
  return until;
}
