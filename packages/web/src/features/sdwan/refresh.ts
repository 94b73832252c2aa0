import { queryClient } from '../../app/session.ts';

export const refreshSdwan = (): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/sdwan/') });
