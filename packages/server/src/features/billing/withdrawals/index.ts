import { withdrawals as contract } from '@yunxun/contract';
import type { Feature } from '../../../feature.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Database } from '../../../platform/database/index.ts';
import { implement } from '../../../platform/http/call.ts';
import { accounts, type IdentityService } from '../../identity/index.ts';
import type { Messages } from '../../messages/index.ts';
import { unsettledOf } from '../clearing/movements.ts';
import { ledgerSum, yuan } from '../service.ts';
import { createDecisions } from './decisions.ts';
import { requestWithdrawal } from './requests.ts';
import { presentRule, readRule } from './rule.ts';
import { createRuleChanges } from './rule-changes.ts';
import { administratorGone, presentPayer } from './stand-in.ts';
import { knownWithdrawals, listWithdrawals, presentWithdrawal } from './store.ts';

interface WithdrawalDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  messages: Messages;
  adminEmail: string | null;
  proveWithdrawal: IdentityService['proveWithdrawal'];
}

export function createWithdrawals(deps: WithdrawalDeps): Feature {
  const { database, clock, keys, adminEmail } = deps;
  const decisions = createDecisions(deps);
  const rules = createRuleChanges(deps);
  return {
    objects: { withdrawal: (_tx, ids) => database.withSystem((tx) => knownWithdrawals(tx, ids)) },
    routes: () =>
      implement(contract, {
        async terms({ tx, acting }) {
          requireWholeAccount(acting, 'billing.read');
          const stored = await database.withSystem(readRule);
          const { two_persons_above: _internal, ...rule } = presentRule(stored);
          const { accountId } = acting;
          const unsettled = stored.settledOnly ? await unsettledOf(tx, accountId) : null;
          return {
            ...rule,
            balance: yuan(await ledgerSum(tx, accountId, 'balance')),
            recharged: yuan(await ledgerSum(tx, accountId, 'recharged')),
            frozen: yuan(await ledgerSum(tx, accountId, 'frozen')),
            unsettled: yuan(unsettled?.fen ?? 0),
            unsettled_until: unsettled?.until?.toISOString() ?? null,
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
          await deps.proveWithdrawal({ accountId: homeAccountId, personId: userId }, input.withdrawal_password);
          const rule = await database.withSystem(readRule);
          const id = await inTenant((tx) => requestWithdrawal(tx, acting, { keys, now: clock.now(), rule }, input));
          return { id };
        },

        allList: ({ acting, input }) =>
          database.withSystem(async (tx) => {
            const { list, total } = await listWithdrawals(tx, null, input);
            const names = await accounts.namesOfAccounts(tx, [...new Set(list.map((row) => row.account_id))]);
            const rule = await readRule(tx);
            const alone = await administratorGone(tx, acting, adminEmail);
            const payer = { rule, personId: acting.userId, alone, now: clock.now() };
            return {
              list: list.map((row) => ({
                ...presentWithdrawal(row),
                ...presentPayer(row, payer),
                account: names.get(row.account_id) ?? '',
              })),
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

        rule: ({ acting }) => rules.read(acting),

        saveRule: async ({ acting, input }) => ({ waiting: await rules.save(acting, input) }),

        async confirmRule({ acting }) {
          await rules.confirm(acting);
          return {};
        },

        async refuseRule({ acting }) {
          await rules.refuse(acting);
          return {};
        },
      }),
  };
}
