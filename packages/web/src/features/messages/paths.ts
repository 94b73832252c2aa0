import type { ApiPath } from '../../app/api.ts';
import { queryClient } from '../../app/session.ts';

const inboxPaths: readonly ApiPath[] = [
  '/api/v3/message/list',
  '/api/v3/message/detail',
  '/api/v3/message/unread_count',
];

export function refreshInbox(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: (query) => inboxPaths.includes(query.queryKey[0] as ApiPath) });
}

export function readingPath(id: string): string {
  return `/message/${id}`;
}
