import { expect, it } from 'vitest';
import { queryClient } from '../../app/session.ts';
import { refreshMoney } from './refresh-money.ts';

it('reads orders, decisions and cards again', async () => {
  const paths = ['billing/decision/list', 'billing/order/get', 'recharge_card/list', 'network/list'];
  const keys = paths.map((path) => [`/api/v3/${path}`, {}]);
  for (const key of keys) queryClient.setQueryData(key, {});
  await refreshMoney();
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, false]);
});
