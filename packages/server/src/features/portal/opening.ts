import type { PortalContent } from '@yunxun/contract';
import { openingAt } from '@yunxun/contract/device';
import type { OnlineEnd } from '@yunxun/portal';
import { addDays, dayOf, timeText } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { accounts } from '../identity/index.ts';
import { Refused } from './refused.ts';

/**
 * Returns when a template closes, in the account's time zone; null: not within a week.
 * @throws Refused while it is closed
 */
export async function closingOf(
  tx: Tx,
  accountId: string,
  { hours = [] }: Pick<PortalContent, 'hours'>,
  now: Date,
): Promise<Date | null> {
  if (hours.length === 0) return null;
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const { open, until } = openingAt(hours, zone, now.getTime());
  if (!open) throw new Refused('closed', { time: until === null ? '' : timeText(new Date(until), zone) });
  return until === null ? null : new Date(until);
}

/** Returns the error of a closed network; null while it is open. */
export async function closedError(...[tx, accountId, content, now]: Parameters<typeof closingOf>) {
  try {
    await closingOf(tx, accountId, content, now);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.error;
    throw error;
  }
}

/** Says an end on the clock of the network's account. */
export async function endOn(tx: Tx, accountId: string, end: Date, now: Date): Promise<OnlineEnd> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const [date, time] = timeText(end, zone).split(' ') as [string, string];
  const today = dayOf(now, zone);
  if (date === today) return { day: 'today', time };
  return { day: date === addDays(today, 1) ? 'tomorrow' : { date }, time };
}

export function earliest(...ends: readonly (Date | null)[]): Date | null {
  const times = ends.flatMap((end) => (end === null ? [] : [end.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}
