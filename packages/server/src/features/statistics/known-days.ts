import type { DayGap } from '@yunxun/contract';
import { addDays, dayOf, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type Measures, noUsers, series, type UserCounts, usersByDay } from '../../telemetry/read/index.ts';
import { firstDay } from '../../telemetry/read/uplink-flow.ts';

interface AskedDays {
  accountId: string;
  gwids: readonly string[] | null;
  now: Date;
  zone: string;
  /** Local days, both inclusive. */
  from: string;
  to: string;
}

export interface KnownDay<K extends keyof Measures> {
  date: string;
  reports: Pick<Measures, K> | null;
  users: UserCounts | null;
  /** Of `users`. */
  gap: DayGap | null;
}

/** Returns null for what is not counted, and why. */
export async function knownDays<K extends keyof Measures>(
  tx: Tx,
  asked: AskedDays,
  want: readonly K[],
): Promise<KnownDay<K>[]> {
  const { accountId, gwids, zone, from, to } = asked;
  const rows = await series<K | 'samples'>(tx, accountId, {
    scope: 'account',
    ids: gwids,
    step: '1d',
    zone,
    want: [...want, 'samples'],
    from: startOfDay(from, zone),
    to: startOfDay(addDays(to, 1), zone),
  });
  const reported = new Map(rows.filter(({ samples }) => samples > 0).map((row) => [dayOf(row.bucket, zone), row]));
  const counted = new Map((await usersByDay(tx, accountId, asked)).map(({ day, counts }) => [day, counts]));
  const first = await firstDay(tx, accountId, asked);
  return daysBetween(from, to).map((date) => {
    const reports = reported.get(date) ?? null;
    const users = counted.get(date);
    const gap = gapOf({ date, first, isReported: reports !== null, users });
    return { date, reports, users: gap ? null : (users ?? noUsers), gap };
  });
}

function gapOf(of: {
  date: string;
  first: string | null;
  isReported: boolean;
  users: UserCounts | null | undefined;
}): DayGap | null {
  const { date, first, isReported, users } = of;
  if (users === null) return 'not_counted';
  if (isReported || (users?.online ?? 0) > 0) return null;
  return first === null || date < first ? 'before_first_report' : 'no_report';
}

function daysBetween(first: string, last: string): string[] {
  const days = [first];
  while (days.at(-1)! < last) days.push(addDays(days.at(-1)!, 1));
  return days;
}
