import { addDays, dayOf } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { accounts } from '../identity/index.ts';

export interface Asked {
  accountId: string;
  /** Null: the whole account. */
  gwids: readonly string[] | null;
  now: Date;
  zone: string;
  today: string;
}

export async function ask(tx: Tx, accountId: string, gwids: readonly string[] | null, now: Date): Promise<Asked> {
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  return { accountId, gwids, now, zone, today: dayOf(now, zone) };
}

export function firstOf(asked: Asked, days: number): string {
  return addDays(asked.today, 1 - days);
}
