import { messages as contract } from '@yunxun/contract';
import { type Identity, implement, type Route } from '../../platform/http/call.ts';
import type { Messages } from './service.ts';
import type { Inbox } from './store.ts';

const inboxOf = ({ actor }: Identity): Inbox => ({ accountId: actor.accountId, personId: actor.userId });

export function messageRoutes(messages: Messages): Route[] {
  return implement(contract, {
    list: ({ tx, identity, input }) => messages.list(tx, inboxOf(identity), input),
    detail: ({ tx, identity, input }) => messages.detail(tx, inboxOf(identity), input.id),
    read: ({ tx, identity, input }) => messages.read(tx, inboxOf(identity), input.ids),
    readAll: ({ tx, identity, input }) => messages.readAll(tx, inboxOf(identity), input.type),
    async remove({ tx, identity, input }) {
      await messages.remove(tx, inboxOf(identity), [input.id]);
      return {};
    },
    batchRemove: ({ tx, identity, input }) => messages.remove(tx, inboxOf(identity), input.ids),
    unreadCount: ({ tx, identity }) => messages.unread(tx, inboxOf(identity)),
  });
}
