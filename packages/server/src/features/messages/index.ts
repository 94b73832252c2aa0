import { messageRoutes } from './routes.ts';
import { createInboxes, type InboxDeps } from './service.ts';

export type { Messages, NewMessage } from './service.ts';

export function createMessages(deps: InboxDeps) {
  const inboxes = createInboxes(deps);
  return { ...inboxes, routes: () => messageRoutes(inboxes) };
}
