import { queryClient } from '../../app/session.ts';

const shown = /^\/api\/v3\/(billing|recharge_card)\//;

export const refreshMoney = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => shown.test(String(queryKey[0])) });
