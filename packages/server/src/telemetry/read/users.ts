import type { Tx } from '../../platform/database/index.ts';
import type { Reach, UserCounts } from './types.ts';

/** Who is there at this moment: terminals of devices that are connected, each once. */
export interface NowCounts {
  online: number;
  /** By band of the strongest claim: a terminal on two devices counts once in each band it is on. */
  online2g: number;
  online5g: number;
  online6g: number;
  wired: number;
  authenticated: number;
}

/** Users present now. */
export async function usersNow(_tx: Tx, _accountId: string, _reach: Reach): Promise<NowCounts> {
  throw new Error('not yet');
}

/** Users present now, network by network; a network without any is left out. */
export async function usersNowByNetwork(
  _tx: Tx,
  _accountId: string,
  _reach: Reach,
): Promise<(NowCounts & { gwid: string })[]> {
  throw new Error('not yet');
}

/** Users of today so far, in the account's calendar. */
export async function usersToday(
  _tx: Tx,
  _accountId: string,
  _query: Reach & { now: Date; zone: string },
): Promise<UserCounts> {
  throw new Error('not yet');
}

/** Users of today so far, network by network. */
export async function usersTodayByNetwork(
  _tx: Tx,
  _accountId: string,
  _query: Reach & { now: Date; zone: string },
): Promise<(UserCounts & { gwid: string })[]> {
  throw new Error('not yet');
}

/** Users day by day, today included, oldest first. A day before the account's first is missing. Days are `YYYY-MM-DD`, both included. */
export async function usersByDay(
  _tx: Tx,
  _accountId: string,
  _query: Reach & { from: string; to: string; now: Date; zone: string },
): Promise<(UserCounts & { day: string })[]> {
  throw new Error('not yet');
}

/** Visits by length: a user's time present on one day. Minutes `lt30`, 30 to 60 `gt30`, hours `h1to2`, `h2to4`, `gt4`. */
export interface DwellCounts {
  lt30: number;
  gt30: number;
  h1to2: number;
  h2to4: number;
  gt4: number;
}

/** Users of each day by their time present on it, summed over the days (today included). */
export async function dwell(
  _tx: Tx,
  _accountId: string,
  _query: Reach & { from: string; to: string; now: Date; zone: string },
): Promise<DwellCounts> {
  throw new Error('not yet');
}

/** How many different terminals of each value; null is "not known". Most first. */
export type Shares = { value: string | null; users: number }[];

/** Different terminals seen since `since` (null: ever) by what is known of them. */
export async function terminalShares(
  _tx: Tx,
  _accountId: string,
  _query: Reach & { since: Date | null; by: 'terminal_type' | 'brand' | 'os' },
): Promise<Shares> {
  throw new Error('not yet');
}

/** Different terminals since `since`: first seen since then, seen before too, and those that change their address. */
export async function terminalCounts(
  _tx: Tx,
  _accountId: string,
  _query: Reach & { since: Date | null },
): Promise<{ all: number; fresh: number; returning: number; randomMac: number }> {
  throw new Error('not yet');
}

/** Visits: a terminal in a network on a day of the account's calendar. */
export interface VisitCounts extends DwellCounts {
  visits: number;
  /** By the parts of the day a visit touched: 0–6, 6–11, 11–14, 14–19, 19–24 h. */
  byPart: readonly [number, number, number, number, number];
}

/** Visits of some days by their length and by the parts of the day, today included. */
export async function visits(
  _tx: Tx,
  _accountId: string,
  _query: Reach & { from: string; to: string; now: Date; zone: string },
): Promise<VisitCounts> {
  throw new Error('not yet');
}
