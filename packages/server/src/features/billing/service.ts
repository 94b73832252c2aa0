import { sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { books } from './tables.ts';

/**
 * The ledgers of an account's books. `balance` is what the account owns here; `income` what its guests paid; `expense`
 * what it spent (SMS, plans); `external` where money comes from and goes to outside (payments, withdrawals).
 */
export type Ledger = 'balance' | 'income' | 'expense' | 'external';

/** One side of a booking. */
export interface Entry {
  ledger: Ledger;
  /** Fen (1/100 yuan), a whole number: debits positive, credits negative. */
  fen: number;
}

/** A booking: its entries add up to nothing. */
export interface Booking {
  accountId: string;
  /** Names the booking in the account for good: one that is repeated counts once. */
  key: string;
  /** What it is, one word: `access_code`, `recharge`, … */
  kind: string;
  at: Date;
  /** The network that it is about; null where it is about none. */
  gwid: string | null;
  entries: readonly Entry[];
}

/**
 * Books in the caller's transaction. A key that was booked before, by whomever, books nothing.
 * @returns the booking's id, and whether it was there already
 * @throws Error when the entries do not balance, or when the key stands for another booking: both are mistakes of the program
 */
export async function post(tx: Tx, booking: Booking): Promise<{ id: string; repeated: boolean }> {
  const { accountId, key, kind, at, gwid, entries } = booking;
  refuseUnbalanced(entries);
  const inserted = await books(tx)
    .insertInto('ledger_transaction')
    .values({ account_id: accountId, id: newId(at.getTime()), ...{ key, kind, at, gwid } })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return { id: await sameBooking(tx, booking), repeated: true };
  const { id } = inserted;
  const rows = entries.map((entry, seq) => ({ account_id: accountId, transaction_id: id, seq, ...entry, at, gwid }));
  await books(tx).insertInto('ledger_entry').values(rows).execute();
  return { id, repeated: false };
}

function refuseUnbalanced(entries: readonly Entry[]): void {
  const whole = entries.every(({ fen }) => Number.isSafeInteger(fen) && fen !== 0);
  const sum = entries.reduce((total, { fen }) => total + fen, 0);
  if (entries.length < 2 || !whole || sum !== 0) throw new Error('the entries of a booking do not balance');
}

/** The booking that holds the key. @throws Error when it is another one */
async function sameBooking(tx: Tx, { accountId, key, kind, gwid, entries }: Booking): Promise<string> {
  const there = await books(tx)
    .selectFrom('ledger_transaction')
    .select(['id', 'kind', 'gwid'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  const sides = await books(tx)
    .selectFrom('ledger_entry')
    .select(['ledger', 'fen'])
    .where('account_id', '=', accountId)
    .where('transaction_id', '=', there.id)
    .orderBy('seq')
    .execute();
  const same =
    there.kind === kind &&
    there.gwid === gwid &&
    sides.length === entries.length &&
    sides.every(({ ledger, fen }, seq) => ledger === entries[seq]?.ledger && fen === entries[seq]?.fen);
  if (!same) throw new Error(`the key ${key} stands for another booking`);
  return there.id;
}

/**
 * What guests paid from `from` until before `to`, less what was paid back. Fen.
 * @param gwids the networks that are asked about; null is all, with what is about no network
 */
export async function incomeOf(
  tx: Tx,
  accountId: string,
  from: Date,
  to: Date,
  gwids: readonly string[] | null,
): Promise<number> {
  let query = books(tx)
    .selectFrom('ledger_entry')
    // credits are negative
    .select(sql<number>`coalesce(-sum(fen), 0)::bigint`.as('fen'))
    .where('account_id', '=', accountId)
    .where('ledger', '=', 'income')
    .where('at', '>=', from)
    .where('at', '<', to);
  if (gwids) query = query.where(sql<boolean>`gwid = any(${[...gwids]}::uuid[])`);
  return (await query.executeTakeFirstOrThrow()).fen;
}

/** What the account owns here. Fen. */
export async function balanceOf(tx: Tx, accountId: string): Promise<number> {
  const { fen } = await books(tx)
    .selectFrom('ledger_entry')
    .select(sql<number>`coalesce(sum(fen), 0)::bigint`.as('fen'))
    .where('account_id', '=', accountId)
    .where('ledger', '=', 'balance')
    .executeTakeFirstOrThrow();
  return fen;
}

/** Fen as yuan with two decimals: `-12.05`. */
export function yuan(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0');
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
