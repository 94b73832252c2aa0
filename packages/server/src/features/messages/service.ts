import { messages as contract, type DataOf, type InputOf, type MessageFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import * as store from './store.ts';

type Message = DataOf<typeof contract.list>['list'][number];
type MessageType = Message['type'];

/** To an account, or one person. */
export interface NewMessage<T extends contract.MessageTemplate> {
  template: T;
  params: contract.MessageValues<T>;
  link?: string;
  /** Only to people who see this network. */
  gwid?: string | null;
  /** Limits it to this person. */
  personId?: string | null;
}

export interface InboxDeps {
  bus: Bus;
  clock: Clock;
  database: Database;
  log: Log;
}

const keptDays = 180;
/** Rows per transaction. */
const pruneBatch = 5000;
const newestShown = 5;

/** Manages inboxes, with each person's read and deleted marks. */
export function createInboxes({ bus, clock, database, log }: InboxDeps) {
  /** Updates the person's other pages only. */
  function announceMark(tx: Tx, inbox: store.Inbox): void {
    const fact: MessageFact = { type: 'message', gwid: null, person_id: inbox.personId };
    afterCommit(tx, () => bus.publish(`live.${inbox.accountId}`, fact));
  }

  /** Skips deleted messages. @throws Failure notFound outside the inbox */
  async function own(tx: Tx, inbox: store.Inbox, ids: string[]): Promise<string[]> {
    const found = await store.ownMessages(tx, inbox, ids);
    if (found.length < ids.length) throw new Failure('notFound');
    return found.filter((message) => !message.deleted_at).map((message) => message.id);
  }

  return {
    /** Uses the caller's transaction. */
    async post<T extends contract.MessageTemplate>(tx: Tx, accountId: string, message: NewMessage<T>): Promise<void> {
      const { template, params, link = null, gwid = null, personId = null } = message;
      await store.insertMessage(tx, {
        account_id: accountId,
        id: newId(),
        type: contract.messageKinds[template].type,
        template,
        params,
        link,
        gwid,
        person_id: personId,
        created_at: clock.now(),
      });
      const fact: MessageFact = { type: 'message', gwid, person_id: personId };
      afterCommit(tx, () => bus.publish(`live.${accountId}`, fact));
    },

    async list(
      tx: Tx,
      inbox: store.Inbox,
      input: InputOf<typeof contract.list>,
    ): Promise<DataOf<typeof contract.list>> {
      const { page = 1, limit = 10, order } = input;
      const window = { offset: (page - 1) * limit, limit, descending: order !== 'asc' };
      const { rows, total } = await store.listMessages(tx, inbox, input, window);
      return { list: rows.map(present), total };
    },

    /** @throws Failure notFound */
    async detail(tx: Tx, inbox: store.Inbox, id: string): Promise<DataOf<typeof contract.detail>> {
      const message = await store.findMessage(tx, inbox, id);
      if (!message) throw new Failure('notFound');
      return { message: present(message), ...(await store.neighbours(tx, inbox, id)) };
    },

    /** @throws Failure notFound */
    async read(tx: Tx, inbox: store.Inbox, ids: string[]): Promise<{ unread: number }> {
      await store.mark(tx, inbox, await own(tx, inbox, ids), 'read_at', clock.now());
      announceMark(tx, inbox);
      return { unread: await store.countUnread(tx, inbox) };
    },

    async readAll(tx: Tx, inbox: store.Inbox, type?: MessageType): Promise<{ unread: number }> {
      await store.mark(tx, inbox, await store.unreadIds(tx, inbox, type), 'read_at', clock.now());
      announceMark(tx, inbox);
      return { unread: await store.countUnread(tx, inbox) };
    },

    /** @throws Failure notFound */
    async remove(tx: Tx, inbox: store.Inbox, ids: string[]): Promise<{ deleted: number }> {
      const mine = await own(tx, inbox, ids);
      await store.mark(tx, inbox, mine, 'deleted_at', clock.now());
      announceMark(tx, inbox);
      return { deleted: mine.length };
    },

    async unread(tx: Tx, inbox: store.Inbox): Promise<DataOf<typeof contract.unreadCount>> {
      const newest = await store.listMessages(tx, inbox, {}, { offset: 0, limit: newestShown, descending: true });
      return { unread: await store.countUnread(tx, inbox), newest: newest.rows.map(present) };
    },

    objects: { message: store.knownMessages },
    tasks: {
      'messages-prune': async () => {
        const before = new Date(clock.now().getTime() - keptDays * 86_400_000);
        let deleted = 0;
        for (let last = pruneBatch; last === pruneBatch; deleted += last) {
          last = await database.withSystem((tx) => store.deleteBefore(tx, before, pruneBatch));
        }
        if (deleted > 0) log.info({ deleted }, 'old messages deleted');
      },
    },
    schedules: [{ task: 'messages-prune', cron: '37 * * * *' }],
  };
}

export type Messages = ReturnType<typeof createInboxes>;

function present({ created_at, ...row }: store.InboxMessage): Message {
  return {
    ...row,
    type: row.type as Message['type'],
    params: row.params as Message['params'],
    created_at: created_at.toISOString(),
  };
}
