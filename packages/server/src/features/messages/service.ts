import type { MessageFact } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, newId, type Tx, tables } from '../../platform/database/index.ts';

interface MessageTables {
  message: {
    account_id: string;
    id: string;
    type: string;
    template: string;
    params: string;
    link: string | null;
    gwid: string | null;
    person_id: string | null;
    created_at: Date;
  };
}

/** A message to everybody who works in an account, or to one person. The console words it: `template` is a key of its catalogue under `message.`. */
export interface NewMessage {
  type: 'system' | 'security' | 'product' | 'billing' | 'job';
  template: string;
  params: Readonly<Record<string, string | number>>;
  /** A path of the console. */
  link?: string;
  /** The network it is about: whoever sees only some networks gets the messages about those. */
  gwid?: string | null;
  /** Only this person reads it. */
  personId?: string | null;
}

/** The inbox that other features write into. */
export function createMessages({ bus, clock }: { bus: Bus; clock: Clock }) {
  return {
    /** Puts a message into an account's inbox, in the caller's transaction. */
    async post(tx: Tx, accountId: string, message: NewMessage): Promise<void> {
      await tables<MessageTables>(tx)
        .insertInto('message')
        .values({
          account_id: accountId,
          id: newId(),
          type: message.type,
          template: message.template,
          params: JSON.stringify(message.params),
          link: message.link ?? null,
          gwid: message.gwid ?? null,
          person_id: message.personId ?? null,
          created_at: clock.now(),
        })
        .execute();
      const fact: MessageFact = {
        type: 'message',
        gwid: message.gwid ?? null,
        person_id: message.personId ?? null,
      };
      afterCommit(tx, () => bus.publish(`live.${accountId}`, fact));
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
