import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { type Operation, record, recordBoth } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import { movementOfWithdrawal, noteMovements } from '../clearing/movements.ts';
import { timeFor } from '../decisions/second-persons.ts';
import { type Entry, post, yuan } from '../service.ts';
import { payeeContext } from './requests.ts';
import { readRule } from './rule.ts';
import { administratorGone, type PayerRule, payerRule } from './stand-in.ts';
import { changeWithdrawal, lockWithdrawal, type ShownPayee, type WithdrawalTable } from './store.ts';

interface DecisionDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  messages: Messages;
  adminEmail: string | null;
}

/** Each throws Failure changedMeanwhile in an unsuitable state. */
export function createDecisions({ database, clock, keys, messages, adminEmail }: DecisionDeps) {
  async function requireAlone(
    tx: Tx,
    acting: Acting,
    row: WithdrawalTable,
    { now, limit, standInAt }: PayerRule & { now: Date },
  ): Promise<void> {
    if (standInAt === null) throw new Failure('secondPerson', { params: { kind: 'approver', limit: yuan(limit) } });
    if (standInAt > now) {
      const time = await timeFor(tx, acting, standInAt);
      throw new Failure('secondPerson', { params: { kind: 'approver_alone', limit: yuan(limit), time } });
    }
    const params = { person: acting.actor?.name ?? acting.source, name: yuan(row.fen) };
    await messages.post(tx, row.account_id, {
      template: 'twoPersonsStoodIn',
      params,
      link: '/billing/withdrawals',
    });
  }

  async function decide<T>(
    acting: Acting,
    id: string,
    states: readonly WithdrawalTable['state'][],
    work: (tx: Tx, row: WithdrawalTable, now: Date) => Promise<{ did: Omit<Operation, 'object'>; result: T }>,
  ): Promise<T> {
    return database.withSystem(async (tx) => {
      const row = await lockWithdrawal(tx, id);
      if (!row) throw new Failure('notFound');
      if (!states.includes(row.state)) throw new Failure('changedMeanwhile');
      const { did, result } = await work(tx, row, clock.now());
      const operation: Operation = { ...did, object: { type: 'withdrawal', id, name: yuan(row.fen) } };
      if (row.account_id === acting.accountId) await record(tx, acting, operation);
      else {
        await recordBoth(tx, [
          [acting, operation],
          [{ ...acting, accountId: row.account_id }, operation],
        ]);
      }
      return result;
    });
  }

  const book = (tx: Tx, { account_id: accountId, id }: WithdrawalTable, act: string, at: Date, entries: Entry[]) =>
    post(tx, {
      accountId,
      key: `withdrawal:${id}:${act}`,
      kind: `withdrawal_${act}`,
      at,
      gwid: null,
      entries: entries.filter(({ fen }) => fen !== 0),
    });

  const by = ({ userId, actor, source }: Acting) => ({ id: userId!, name: actor?.name ?? source });

  return {
    payee: (acting: Acting, id: string): Promise<ShownPayee> =>
      decide(acting, id, ['requested', 'approved', 'paid', 'refused'], async (tx, row) => {
        const sealer = await keys.of(tx, row.account_id);
        const opened = sealer.open(row.payee, payeeContext(id)).toString();
        return { did: { action: 'withdrawal.show_payee', command: true }, result: JSON.parse(opened) as ShownPayee };
      }),

    approve: (acting: Acting, id: string): Promise<void> =>
      decide(acting, id, ['requested'], async (tx, row, now) => {
        const { id: approved_by, name: approver } = by(acting);
        await changeWithdrawal(tx, row, { state: 'approved', approved_at: now, approved_by, approver });
        await messages.post(tx, row.account_id, {
          template: 'withdrawalApproved',
          params: { amount: yuan(row.fen) },
          link: '/billing/withdrawals',
          personId: row.requested_by,
        });
        return { did: { action: 'withdrawal.approve', command: true }, result: undefined };
      }),

    refuse: (acting: Acting, id: string, reason: string): Promise<void> =>
      decide(acting, id, ['requested', 'approved'], async (tx, row, now) => {
        const { id: settled_by, name: settler } = by(acting);
        await changeWithdrawal(tx, row, { state: 'refused', settled_at: now, settled_by, settler, reason });
        await book(tx, row, 'refusal', now, [
          { ledger: 'balance', fen: row.fen },
          { ledger: 'frozen', fen: -row.fen },
        ]);
        await messages.post(tx, row.account_id, {
          template: 'withdrawalRefused',
          params: { amount: yuan(row.fen), reason },
          link: '/billing/withdrawals',
          personId: row.requested_by,
        });
        return { did: { action: 'withdrawal.refuse', after: { reason }, command: true }, result: undefined };
      }),

    /** @throws Failure secondPerson if the approver pays above the limit */
    pay: (acting: Acting, id: string, receipt: string): Promise<void> =>
      decide(acting, id, ['approved'], async (tx, row, now) => {
        const { id: settled_by, name: settler } = by(acting);
        const alone = await administratorGone(tx, acting, adminEmail);
        const needed = payerRule(row, { rule: await readRule(tx), personId: settled_by, alone });
        if (needed) await requireAlone(tx, acting, row, { now, ...needed });
        await changeWithdrawal(tx, row, { state: 'paid', settled_at: now, settled_by, settler, receipt });
        await noteMovements(tx, [movementOfWithdrawal(row, now)]);
        await book(tx, row, 'payment', now, [
          { ledger: 'external', fen: row.fen - row.fee_fen },
          { ledger: 'expense', fen: row.fee_fen },
          { ledger: 'frozen', fen: -row.fen },
        ]);
        const amount = yuan(row.fen - row.fee_fen);
        await messages.post(tx, row.account_id, {
          template: 'withdrawalPaid',
          params: { amount, fee: yuan(row.fee_fen), receipt },
          link: '/billing/withdrawals',
          personId: row.requested_by,
        });
        return { did: { action: 'withdrawal.pay', after: { receipt }, command: true }, result: undefined };
      }),
  };
}
