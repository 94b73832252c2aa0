import { addDays, dayOf } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { accountOf } from '../identity/accounts.ts';

/** What numbers are asked about: an account or some networks of it, at a moment, on the account's own calendar. */
export interface Asked {
  accountId: string;
  /** Null is the whole account. */
  gwids: readonly string[] | null;
  now: Date;
  /** IANA name. */
  zone: string;
  /** Today, `YYYY-MM-DD`. */
  today: string;
}

/** Reads the account's calendar. */
export async function ask(tx: Tx, accountId: string, gwids: readonly string[] | null, now: Date): Promise<Asked> {
  const { time_zone: zone } = await accountOf(tx, accountId);
  return { accountId, gwids, now, zone, today: dayOf(now, zone) };
}

/** The first of so many days that end today. */
export function firstOf(asked: Asked, days: number): string {
  return addDays(asked.today, 1 - days);
}
