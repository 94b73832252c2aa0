import { dayOf, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { accounts } from '../identity/index.ts';

export async function dayStartOf(tx: Tx, accountId: string, now: Date): Promise<Date> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  return startOfDay(dayOf(now, zone), zone);
}
