import type { AlarmSource } from '../alarms/index.ts';
import { standingDifferences } from './orders/differences.ts';

/** Orders that the statements of payment providers contradict. */
export const billingAlarms: AlarmSource<'payment_difference'> = {
  kinds: { payment_difference: null },
  async read(tx, { trackedNetworks }) {
    const standing = await standingDifferences(tx);
    const observed = new Set([
      ...standing.keys(),
      ...trackedNetworks('payment_difference').map((one) => one.accountId),
    ]);
    return [...observed].map((accountId) => {
      const orders = standing.get(accountId) ?? 0;
      return {
        accountId,
        serial: null,
        gwid: accountId,
        part: '',
        kind: 'payment_difference' as const,
        isProblem: orders > 0,
        since: null,
        value: orders,
      };
    });
  },
};
