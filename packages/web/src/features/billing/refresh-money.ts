import { queryClient } from '../../app/session.ts';

export const refreshMoney = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/billing/') });
