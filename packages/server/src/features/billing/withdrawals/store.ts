import type { withdrawals as contract, DataOf, InputOf, WithdrawalState } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';
import { yuan } from '../service.ts';

export interface ShownPayee {
  holder: string;
  bank_card: string;
  id_card: string;
}

export interface WithdrawalTable {
  account_id: string;
  id: string;
  /** Per account. */
  key: string;
  fen: number;
  fee_fen: number;
  /** Limit of the rule at the request; null: none. */
  two_persons_fen: number | null;
  state: WithdrawalState;
  /** Full `ShownPayee` JSON, sealed. */
  payee: Buffer;
  payee_shown: ShownPayee;
  requested_at: Date;
  requested_by: string;
  requester: string;
  approved_at: Date | null;
  approved_by: string | null;
  approver: string | null;
  settled_at: Date | null;
  settled_by: string | null;
  settler: string | null;
  reason: string | null;
  receipt: string | null;
}

const db = (tx: Tx) => tables<{ withdrawal: WithdrawalTable }>(tx);

export async function insertWithdrawal(
  tx: Tx,
  row: Pick<
    WithdrawalTable,
    | ('account_id' | 'id' | 'key' | 'fen' | 'fee_fen' | 'two_persons_fen')
    | ('payee' | 'payee_shown' | 'requested_at' | 'requested_by' | 'requester')
  >,
): Promise<void> {
  await tables<{ withdrawal: Omit<WithdrawalTable, 'payee_shown'> & { payee_shown: string } }>(tx)
    .insertInto('withdrawal')
    .values({
      ...row,
      payee_shown: JSON.stringify(row.payee_shown),
      state: 'requested',
      approved_at: null,
      approved_by: null,
      approver: null,
      settled_at: null,
      settled_by: null,
      settler: null,
      reason: null,
      receipt: null,
    })
    .execute();
}

export function findByKey(tx: Tx, accountId: string, key: string): Promise<WithdrawalTable | undefined> {
  return db(tx)
    .selectFrom('withdrawal')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Searches all accounts. System role. */
export function lockWithdrawal(tx: Tx, id: string): Promise<WithdrawalTable | undefined> {
  return db(tx).selectFrom('withdrawal').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function changeWithdrawal(
  tx: Tx,
  { account_id, id }: Pick<WithdrawalTable, 'account_id' | 'id'>,
  change: Partial<WithdrawalTable>,
): Promise<void> {
  await db(tx)
    .updateTable('withdrawal')
    .set(change as never)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Searches all accounts. System role. */
export async function knownWithdrawals(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db(tx)
    .selectFrom('withdrawal')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const sortColumns = {
  requested_at: sql.ref('requested_at'),
  amount: sql.ref('fen'),
  fee: sql.ref('fee_fen'),
  net: sql`fen - fee_fen`,
};

/** @param accountId null: all, open ones first; system role */
export async function listWithdrawals(
  tx: Tx,
  accountId: string | null,
  { page = 1, limit = 10, state, sort, order = 'desc' }: InputOf<typeof contract.list>,
): Promise<{ list: WithdrawalTable[]; total: number }> {
  let found = db(tx).selectFrom('withdrawal');
  if (accountId) found = found.where('account_id', '=', accountId);
  if (state) found = found.where('state', '=', state);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  let rows = found.selectAll();
  // a chosen order applies to all
  if (!accountId && !sort) rows = rows.orderBy(sql`state in ('paid', 'refused')`);
  const list = await rows
    .orderBy(sortColumns[sort ?? 'requested_at'], order)
    .orderBy('id', order)
    .offset((page - 1) * limit)
    .limit(limit)
    .execute();
  return { list, total: Number(total) };
}

export function presentWithdrawal(row: WithdrawalTable): DataOf<typeof contract.list>['list'][number] {
  return {
    ...row.payee_shown,
    id: row.id,
    amount: yuan(row.fen),
    fee: yuan(row.fee_fen),
    net: yuan(row.fen - row.fee_fen),
    state: row.state,
    requested_at: row.requested_at.toISOString(),
    requester: row.requester,
    approved_at: row.approved_at?.toISOString() ?? null,
    approver: row.approver,
    settled_at: row.settled_at?.toISOString() ?? null,
    settler: row.settler,
    reason: row.reason,
    receipt: row.receipt,
  };
}
