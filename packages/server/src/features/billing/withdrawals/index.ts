import { withdrawals as contract } from '@yunxun/contract';
import type { Feature } from '../../../feature.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Database } from '../../../platform/database/index.ts';
import { implement } from '../../../platform/http/call.ts';
import { namesOfAccounts } from '../../identity/all-accounts.ts';
import { requireWholeAccount } from '../../identity/rights.ts';
import { createWithdrawalProof } from '../../identity/withdrawal-password.ts';
import { theInstallation } from '../../installation/context.ts';
import { record } from '../../logs/audit.ts';
import type { Messages } from '../../messages/service.ts';
import { balanceOf, ledgerSum, yuan } from '../service.ts';
import { createDecisions } from './decisions.ts';
import { requestWithdrawal } from './requests.ts';
import { lockRule, parseRule, presentRule, readRule, writeRule } from './rule.ts';
import { knownWithdrawals, listWithdrawals, presentWithdrawal } from './store.ts';

interface WithdrawalDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  messages: Messages;
}

export function createWithdrawals(deps: WithdrawalDeps): Feature {
  const { database, clock, keys } = deps;
  const decisions = createDecisions(deps);
  const proveWithdrawalPassword = createWithdrawalProof(deps);
  return {
    objects: { withdrawal: (_tx, ids) => database.withSystem((tx) => knownWithdrawals(tx, ids)) },
    routes: () =>
      implement(contract, {
        async terms({ tx, acting }) {
          requireWholeAccount(acting, 'billing.read');
          const { two_persons_above: _internal, ...rule } = presentRule(await database.withSystem(readRule));
          const { accountId } = acting;
          return {
            ...rule,
            balance: yuan(await balanceOf(tx, accountId)),
            frozen: yuan(await ledgerSum(tx, accountId, 'frozen')),
          };
        },

        async list({ tx, acting, input }) {
          requireWholeAccount(acting, 'billing.read');
          const { list, total } = await listWithdrawals(tx, acting.accountId, input);
          return { list: list.map(presentWithdrawal), total };
        },

        async request({ identity, acting, input, inTenant }) {
          requireWholeAccount(acting, 'billing.write');
          const { homeAccountId, userId } = identity.actor;
          await proveWithdrawalPassword({ accountId: homeAccountId, personId: userId }, input.withdrawal_password);
          const rule = await database.withSystem(readRule);
          const id = await inTenant((tx) => requestWithdrawal(tx, acting, { keys, now: clock.now(), rule }, input));
          return { id };
        },

        allList: ({ input }) =>
          database.withSystem(async (tx) => {
            const { list, total } = await listWithdrawals(tx, null, input);
            const names = await namesOfAccounts(tx, [...new Set(list.map((row) => row.account_id))]);
            return {
              list: list.map((row) => ({ ...presentWithdrawal(row), account: names.get(row.account_id) ?? '' })),
              total,
            };
          }),

        payee: ({ acting, input }) => decisions.payee(acting, input.id),

        async approve({ acting, input }) {
          await decisions.approve(acting, input.id);
          return {};
        },

        async refuse({ acting, input }) {
          await decisions.refuse(acting, input.id, input.reason);
          return {};
        },

        async pay({ acting, input }) {
          await decisions.pay(acting, input.id, input.receipt);
          return {};
        },

        rule: async () => presentRule(await database.withSystem(readRule)),

        saveRule: ({ acting, input }) =>
          database.withSystem(async (tx) => {
            await lockRule(tx);
            const before = presentRule(await readRule(tx));
            const rule = parseRule({ ...before, ...input });
            await writeRule(tx, rule);
            await record(tx, acting, {
              action: 'installation.save_withdrawal_rule',
              object: theInstallation,
              before,
              after: presentRule(rule),
            });
            return {};
          }),
      }),
  };
}
