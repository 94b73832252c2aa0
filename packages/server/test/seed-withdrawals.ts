import { randomUUID } from 'node:crypto';
import { type Seed, withdrawals } from '@yunxun/contract';
import { post } from '../src/features/billing/service.ts';
import { writeRule } from '../src/features/billing/withdrawals/rule.ts';
import { writeSetting } from '../src/features/installation/settings.ts';
import type { Registered, TestServer } from './server.ts';

export const withdrawalPassword = '135790';

/** Sets the limit in fen without a second administrator. */
export function setTwoPersons(server: TestServer, twoPersonsAboveFen: number | null): Promise<void> {
  return server.db.database.withSystem((tx) =>
    writeRule(tx, { minFen: 1, feeRate: 0, minFeeFen: 0, twoPersonsAboveFen, settledOnly: false }),
  );
}

export async function fund(server: TestServer, owner: Registered, fen: number): Promise<void> {
  await server.db.database.withSystem((tx) =>
    post(tx, {
      accountId: owner.accountId,
      key: `test:${randomUUID()}`,
      kind: 'recharge',
      at: new Date(),
      gwid: null,
      entries: [
        { ledger: 'balance', fen },
        { ledger: 'external', fen: -fen },
      ],
    }),
  );
  const password = { password: withdrawalPassword, confirm_password: withdrawalPassword };
  await server.call('/api/v3/security/withdrawal_password', password, owner);
}

export const requestOf = (amount: string, key: string = randomUUID()) => ({
  ...withdrawals.request.example({} as Seed),
  amount,
  key,
});

export async function makeWithdrawals(
  server: TestServer,
  owner: Registered,
): Promise<Pick<Seed, 'withdrawal' | 'approvedWithdrawal'>> {
  await server.db.database.withSystem((tx) =>
    writeSetting(tx, 'withdrawals_loosening', {
      twoPersonsAboveFen: null,
      askedAt: new Date().toISOString(),
      askedBy: randomUUID(),
      asker: 'another',
    }),
  );
  await fund(server, owner, 100_000);
  const ask = async () => {
    const { data } = await server.call<{ id: string }>('/api/v3/billing/withdrawal/request', requestOf('20.00'), owner);
    return { id: data.id };
  };
  const [withdrawal, approvedWithdrawal] = [await ask(), await ask()];
  await server.db.database.systemPool.query(
    `update withdrawal set state = 'approved', approved_at = now(), approved_by = $2, approver = 'another' where id = $1`,
    [approvedWithdrawal.id, owner.userId],
  );
  return { withdrawal, approvedWithdrawal };
}
