import type { messages as inbox } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Identity } from '../../platform/http/call.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { RelyingParty } from '../identity/passkeys.ts';
import type { PersonKey } from '../identity/people.ts';
import type { Operation } from '../logs/audit.ts';
import type { Messages } from '../messages/service.ts';

/** What the personal centre works with. */
export interface PersonalDeps {
  database: Database;
  clock: Clock;
  outbox: Outbox;
  bus: Bus;
  keys: AccountKeys;
  messages: Messages;
  /** What passkeys are made for. */
  rp: RelyingParty;
}

/** The person who calls. */
export function personIn({ actor }: Identity): PersonKey {
  return { accountId: actor.homeAccountId, personId: actor.userId };
}

/** The person who calls, as the object of an operation. */
export function selfIn({ actor }: Identity): Operation['object'] {
  return { type: 'person', id: actor.userId, name: actor.name };
}

/** Puts a message about the person's own safety into the person's own inbox. */
export function warn<T extends inbox.MessageTemplate>(
  tx: Tx,
  { messages }: PersonalDeps,
  who: PersonKey,
  template: T,
  ...[params]: keyof inbox.MessageValues<T> extends never ? [] : [params: inbox.MessageValues<T>]
): Promise<void> {
  return messages.post<T>(tx, who.accountId, {
    type: 'security',
    template,
    params: params ?? ({} as inbox.MessageValues<T>),
    link: '/security',
    personId: who.personId,
  });
}
