import type { ApiPath } from '../../app/api.ts';
import { queryClient } from '../../app/session.ts';

/** Calls whose answers show the inbox. */
const inboxPaths: readonly ApiPath[] = [
  '/api/v3/message/list',
  '/api/v3/message/detail',
  '/api/v3/message/unread_count',
];

/** Reads the inbox again, wherever the page shows it. */
export function refreshInbox(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: (query) => inboxPaths.includes(query.queryKey[0] as ApiPath) });
}

/** The page of one message. */
export function readingPath(id: string): string {
  return `/message/${id}`;
}
