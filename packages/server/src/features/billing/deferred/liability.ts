import type { PackageTerms } from '@yunxun/contract';
import { dayOf } from '../../../platform/calendar.ts';

/** A longer package is earned by day. */
export const monthDays = 31;

export interface Sold {
  /** Less refunds. */
  fen: number;
  isCard: boolean;
  usedAt: Date | null;
  startedAt: Date | null;
  /** Of its time; of an unused card, the last moment to redeem it. */
  endsAt: Date;
  closedAt: Date | null;
  terms: Pick<PackageTerms, 'minutes' | 'valid_days'>;
}

export const isLong = ({ minutes, valid_days }: Sold['terms']): boolean =>
  (minutes > 0 ? minutes / 1440 : valid_days) > monthDays;

/**
 * Returns what is not earned at the end of a day, in fen: all of it before the first use, then by whole days of the
 * zone, the first and the last one included.
 */
export function liabilityAt(sold: Sold, { day, end, zone }: { day: string; end: Date; zone: string }): number {
  const { fen, isCard, usedAt, startedAt, endsAt, closedAt, terms } = sold;
  if ((closedAt && closedAt < end) || endsAt <= end) return 0;
  if (isCard && (!usedAt || usedAt >= end)) return fen;
  if (!isLong(terms)) return 0;
  if (!startedAt || startedAt >= end) return fen;
  const first = dayOf(startedAt, zone);
  const all = days(first, dayOf(new Date(endsAt.getTime() - 1), zone));
  return fen - Math.floor((fen * Math.min(all, days(first, day))) / all);
}

const days = (first: string, last: string): number =>
  Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000) + 1;
