import type { withdrawals as contract, InputOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { record } from '../../logs/index.ts';
import { unsettledOf } from '../clearing/movements.ts';
import { fenOf, ledgerSum, lockMoney, post, yuan } from '../service.ts';
import { feeOf, type WithdrawalRule } from './rule.ts';
import { findByKey, insertWithdrawal, type ShownPayee } from './store.ts';

export const payeeContext = (id: string) => `withdrawal ${id}`;

/** Keeps the first character of the name, the last four of cards. */
function maskPayee({ holder, bank_card, id_card }: ShownPayee): ShownPayee {
  const tail = (text: string) => `${'*'.repeat(text.length - 4)}${text.slice(-4)}`;
  const [first = ''] = holder;
  return { holder: `${first}**`, bank_card: tail(bank_card), id_card: tail(id_card) };
}

/**
 * Freezes the amount; a repeated key changes nothing. @returns the id
 * @throws Failure balanceInsufficient; Invalid below the minimum, not above the fee, or above what is settled
 */
export async function requestWithdrawal(
  tx: Tx,
  acting: Acting,
  { keys, now, rule }: { keys: AccountKeys; now: Date; rule: WithdrawalRule },
  input: InputOf<typeof contract.request>,
): Promise<string> {
  const { accountId } = acting;
  const fen = fenOf(input.amount);
  const feeFen = feeOf(rule, fen);
  await lockMoney(tx, accountId);
  const earlier = await findByKey(tx, accountId, input.key);
  if (earlier) {
    if (earlier.fen !== fen) throw new Failure('changedMeanwhile', { params: { kind: 'key' } });
    return earlier.id;
  }
  const least = Math.max(rule.minFen, feeFen + 1);
  if (fen < least) invalid('amount', 'validation.minAmount', { min: yuan(least) });
  // what was recharged goes back to its source only
  const balance = await ledgerSum(tx, accountId, 'balance');
  if (fen > balance) throw new Failure('balanceInsufficient', { data: { balance: yuan(balance) } });
  if (rule.settledOnly) {
    const unsettled = await unsettledOf(tx, accountId);
    const available = Math.max(0, balance - unsettled.fen);
    if (fen > available)
      invalid('amount', 'billing.withdraw_unsettled', { unsettled: yuan(unsettled.fen), available: yuan(available) });
  }
  const id = newId(now.getTime());
  const payee = { holder: input.holder, bank_card: input.bank_card.replace(/ /g, ''), id_card: input.id_card };
  const shown = maskPayee(payee);
  const sealer = await keys.of(tx, accountId);
  await insertWithdrawal(tx, {
    account_id: accountId,
    id,
    key: input.key,
    fen,
    fee_fen: feeFen,
    payee_shown: shown,
    two_persons_fen: rule.twoPersonsAboveFen,
    payee: sealer.seal(JSON.stringify(payee), payeeContext(id)),
    requested_at: now,
    requested_by: acting.userId!,
    requester: acting.actor?.name ?? acting.source,
  });
  await post(tx, {
    accountId,
    key: `withdrawal:${id}:request`,
    kind: 'withdrawal_request',
    at: now,
    gwid: null,
    entries: [
      { ledger: 'frozen', fen },
      { ledger: 'balance', fen: -fen },
    ],
  });
  await record(tx, acting, {
    action: 'withdrawal.request',
    object: { type: 'withdrawal', id, name: yuan(fen) },
    after: { amount: yuan(fen), fee: yuan(feeFen), ...shown },
    command: true,
  });
  return id;
}
