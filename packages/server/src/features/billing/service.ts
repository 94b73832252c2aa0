import { sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { books, type Currency, type LineType } from './tables.ts';

export type { Currency };

/**
 * `balance`: what the account earned here; `recharged`: what it paid in; `frozen`: open withdrawals; `income`: guests' payments; `cash`: taken by
 * operators; `sms`: prepaid; `expense`: spending; `external`: outside (payments, withdrawals); `deferred`: sold, not earned; `earned`: what that takes off income.
 */
export type Ledger =
  | 'balance'
  | 'recharged'
  | 'frozen'
  | 'income'
  | 'cash'
  | 'sms'
  | 'expense'
  | 'external'
  | 'deferred'
  | 'earned';

export interface Entry {
  ledger: Ledger;
  /** Fen: debits positive, credits negative. */
  fen: number;
}

/** Its entries sum to zero. */
export interface Booking {
  accountId: string;
  /** Idempotency key, per account. */
  key: string;
  /** One word: `access_code`, `recharge`, … */
  kind: string;
  at: Date;
  /** Network concerned, or null. */
  gwid: string | null;
  /** Default: yuan. */
  currency?: Currency;
  entries: readonly Entry[];
}

/**
 * Books in the caller's transaction, once per key.
 * @returns id, and whether it existed @throws Error for unbalanced entries, or a key of another booking
 */
export async function post(tx: Tx, booking: Booking): Promise<{ id: string; repeated: boolean }> {
  const { transaction, entries } = rowsOf(booking);
  const inserted = await books(tx)
    .insertInto('ledger_transaction')
    .values(transaction)
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return { id: await sameBooking(tx, booking), repeated: true };
  await books(tx).insertInto('ledger_entry').values(entries).execute();
  return { id: inserted.id, repeated: false };
}

/** @throws Error for unbalanced entries */
export function rowsOf(booking: Booking) {
  const { accountId, key, kind, at, gwid, currency = 'CNY', entries } = booking;
  refuseUnbalanced(entries);
  const id = newId(at.getTime());
  const common = { account_id: accountId, currency, at, gwid };
  return {
    transaction: { ...common, id, key, kind, ...lineOf(booking) },
    entries: entries.map((entry, seq) => ({ ...common, transaction_id: id, seq, ...entry })),
  };
}

/** As migrations 0252 and 0255 do for earlier bookings. */
function lineOf({ kind, entries }: Booking): { type: LineType; fen: number } {
  const sum = (ledger: Ledger) =>
    entries.reduce((total, entry) => total + (entry.ledger === ledger ? entry.fen : 0), 0);
  const fen = sum('balance') + sum('recharged') || sum('cash') || sum('external') || -sum('expense') || 0;
  if (kind === 'recharge' || kind === 'refund') return { type: kind, fen };
  if (kind === 'refund_failed') return { type: 'refund', fen };
  if (kind.startsWith('withdrawal')) return { type: 'withdrawal', fen: sum('balance') };
  if (sum('income') < 0) return { type: 'income', fen };
  return { type: fen < 0 ? 'expense' : 'other', fen };
}

function refuseUnbalanced(entries: readonly Entry[]): void {
  const whole = entries.every(({ fen }) => Number.isSafeInteger(fen) && fen !== 0);
  const sum = entries.reduce((total, { fen }) => total + fen, 0);
  if (entries.length < 2 || !whole || sum !== 0) throw new Error('the entries of a booking do not balance');
}

/** @throws Error if the key belongs to another booking */
async function sameBooking(
  tx: Tx,
  { accountId, key, kind, gwid, currency = 'CNY', entries }: Booking,
): Promise<string> {
  const there = await books(tx)
    .selectFrom('ledger_transaction')
    .select(['id', 'kind', 'gwid'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  const sides = await books(tx)
    .selectFrom('ledger_entry')
    .select(['ledger', 'fen', 'currency'])
    .where('account_id', '=', accountId)
    .where('transaction_id', '=', there.id)
    .orderBy('seq')
    .execute();
  const same =
    there.kind === kind &&
    there.gwid === gwid &&
    sides.length === entries.length &&
    sides.every(
      (side, seq) =>
        side.ledger === entries[seq]?.ledger && side.fen === entries[seq]?.fen && side.currency === currency,
    );
  if (!same) throw new Error(`the key ${key} stands for another booking`);
  return there.id;
}

/**
 * Sums guest payments in yuan less refunds in [`from`, `to`), fen.
 * @param gwids null: all, also without a network
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
    .select(sql<number>`coalesce(-sum(fen), 0)::bigint`.as('fen'))
    .where('account_id', '=', accountId)
    .where('ledger', '=', 'income')
    .where('currency', '=', 'CNY')
    .where('at', '>=', from)
    .where('at', '<', to);
  if (gwids) query = query.where(sql<boolean>`gwid = any(${[...gwids]}::uuid[])`);
  return (await query.executeTakeFirstOrThrow()).fen;
}

/** Sums the same by local day of the zone, fen; days without payments are missing. */
export async function incomeByDay(
  tx: Tx,
  accountId: string,
  { from, to, zone, gwids }: { from: Date; to: Date; zone: string; gwids: readonly string[] | null },
): Promise<ReadonlyMap<string, number>> {
  let query = books(tx)
    .selectFrom('ledger_entry')
    .select([
      sql<string>`to_char(at at time zone ${zone}, 'YYYY-MM-DD')`.as('day'),
      sql<number>`(-sum(fen))::bigint`.as('fen'),
    ])
    .where('account_id', '=', accountId)
    .where('ledger', '=', 'income')
    .where('currency', '=', 'CNY')
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy('day');
  if (gwids) query = query.where(sql<boolean>`gwid = any(${[...gwids]}::uuid[])`);
  return new Map((await query.execute()).map(({ day, fen }) => [day, fen]));
}

/** @param gwids null: all networks */
export async function hasIncome(tx: Tx, accountId: string, gwids: readonly string[] | null): Promise<boolean> {
  let query = books(tx)
    .selectFrom('ledger_entry')
    .select('transaction_id')
    .where('account_id', '=', accountId)
    .where('ledger', '=', 'income')
    .where('currency', '=', 'CNY')
    .limit(1);
  if (gwids) query = query.where(sql<boolean>`gwid = any(${[...gwids]}::uuid[])`);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Earned and recharged, in fen. */
export async function balanceOf(tx: Tx, accountId: string, currency: Currency = 'CNY'): Promise<number> {
  const [earned, recharged] = [
    await ledgerSum(tx, accountId, 'balance', currency),
    await ledgerSum(tx, accountId, 'recharged', currency),
  ];
  return earned + recharged;
}

/**
 * Takes earned money first, recharged last. Locks the money.
 * @param forced beyond what is there
 * @throws Failure balanceInsufficient unless forced
 */
export async function spend(
  tx: Tx,
  accountId: string,
  fen: number,
  { currency = 'CNY', forced = false }: { currency?: Currency; forced?: boolean } = {},
): Promise<Entry[]> {
  await lockMoney(tx, accountId);
  const earned = await ledgerSum(tx, accountId, 'balance', currency);
  const recharged = await ledgerSum(tx, accountId, 'recharged', currency);
  if (!forced && earned + recharged < fen) throw new Failure('balanceInsufficient');
  const ofRecharged = Math.min(Math.max(0, fen - Math.max(0, earned)), Math.max(0, recharged));
  return withoutZeros([
    { ledger: 'balance', fen: ofRecharged - fen },
    { ledger: 'recharged', fen: -ofRecharged },
  ]);
}

/** What is spent already is taken of what was earned, if forced. */
export async function takeRecharged(
  tx: Tx,
  accountId: string,
  fen: number,
  { currency = 'CNY', forced = false }: { currency?: Currency; forced?: boolean } = {},
): Promise<Entry[]> {
  await lockMoney(tx, accountId);
  const recharged = Math.max(0, await ledgerSum(tx, accountId, 'recharged', currency));
  if (!forced && recharged < fen) throw new Failure('balanceInsufficient');
  const taken = Math.min(fen, recharged);
  return withoutZeros([
    { ledger: 'recharged', fen: -taken },
    { ledger: 'balance', fen: taken - fen },
  ]);
}

export const withoutZeros = (entries: readonly Entry[]): Entry[] => entries.filter(({ fen }) => fen !== 0);

/** In fen, from its running totals. */
export async function ledgerSum(
  tx: Tx,
  accountId: string,
  ledger: Ledger,
  currency: Currency = 'CNY',
): Promise<number> {
  const { fen } = await books(tx)
    .selectFrom('ledger_total')
    .select(sql<number>`coalesce(sum(fen), 0)::bigint`.as('fen'))
    .where('account_id', '=', accountId)
    .where('ledger', '=', ledger)
    .where('currency', '=', currency)
    .executeTakeFirstOrThrow();
  return fen;
}

/** In fen, of all accounts with one. System role. */
export async function ledgerSums(tx: Tx, ledger: Ledger, currency: Currency = 'CNY'): Promise<Map<string, number>> {
  const rows = await books(tx)
    .selectFrom('ledger_total')
    .select(['account_id', sql<number>`sum(fen)::bigint`.as('fen')])
    .where('ledger', '=', ledger)
    .where('currency', '=', currency)
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id: accountId, fen }) => [accountId, fen]));
}

/** Serialises spending until the transaction ends. */
export async function lockMoney(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`money ${accountId}`}, 0))`.execute(tx);
}

/** Locks the money and requires `fen` of prepaid messages. @throws Failure balanceInsufficient */
export async function requireSms(tx: Tx, accountId: string, fen: number, currency: Currency = 'CNY'): Promise<void> {
  await lockMoney(tx, accountId);
  if ((await ledgerSum(tx, accountId, 'sms', currency)) < fen) throw new Failure('balanceInsufficient');
}

/** Returns journal lines by booking key, oldest first. */
export function journalOf(tx: Tx, accountId: string, keys: readonly string[]) {
  return books(tx)
    .selectFrom('ledger_entry as e')
    .innerJoin('ledger_transaction as t', (join) =>
      join.onRef('t.account_id', '=', 'e.account_id').onRef('t.id', '=', 'e.transaction_id'),
    )
    .select(['e.transaction_id', 't.kind', 'e.ledger', 'e.fen', 'e.at'])
    .where('e.account_id', '=', accountId)
    .where('t.key', 'in', [...keys])
    .orderBy('e.at')
    .orderBy('e.transaction_id')
    .orderBy('e.seq')
    .execute();
}

/** Formats fen as yuan: `-12.05`. */
export function yuan(fen: number): string {
  const digits = String(Math.abs(fen)).padStart(3, '0');
  return `${fen < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads yuan such as `12.5` as fen. */
export function fenOf(text: string): number {
  const [whole = '0', part = ''] = text.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

export const ledger = { post, spend, requireSms, sum: ledgerSum, sums: ledgerSums, incomeOf, incomeByDay, hasIncome };
