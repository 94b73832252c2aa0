import { dayOf } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { accounts } from '../identity/index.ts';
import type { Shown } from './rows.ts';

export async function shownTo(tx: Tx, accountId: string, gwids: readonly string[] | null, now: Date): Promise<Shown> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  return { accountId, gwids, visible: gwids, now, zone, day: dayOf(now, zone) };
}
