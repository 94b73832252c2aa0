import type { Tx } from '../../platform/database/index.ts';
import type { AlarmSource } from '../alarms/index.ts';
import { standingDifferences } from './orders/differences.ts';
import { openExceptions } from './refunds/exceptions.ts';

type Kind = 'payment_difference' | 'payment_exception';

const counts: Readonly<Record<Kind, (tx: Tx) => Promise<Map<string, number>>>> = {
  payment_difference: standingDifferences,
  payment_exception: openExceptions,
};

export const billingAlarms: AlarmSource<Kind> = {
  kinds: { payment_difference: null, payment_exception: null },
  async read(tx, { trackedNetworks }) {
    const found = [];
    for (const kind of Object.keys(counts) as Kind[]) {
      const open = await counts[kind](tx);
      const observed = new Set([...open.keys(), ...trackedNetworks(kind).map((one) => one.accountId)]);
      for (const accountId of observed) {
        const value = open.get(accountId) ?? 0;
        found.push({
          accountId,
          serial: null,
          gwid: accountId,
          part: '',
          kind,
          isProblem: value > 0,
          since: null,
          value,
        });
      }
    }
    return found;
  },
};
