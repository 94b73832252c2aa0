import type { messages as inbox } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Identity } from '../../platform/http/call.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { IdentityService } from '../identity/index.ts';
import type { Operation } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';

export interface PersonalDeps {
  database: Database;
  clock: Clock;
  outbox: Outbox;
  bus: Bus;
  messages: Messages;
  identity: Pick<IdentityService, 'codes' | 'confirm' | 'passkeys' | 'secondFactor'>;
}

export function personIn({ actor }: Identity): PersonKey {
  return { accountId: actor.homeAccountId, personId: actor.userId };
}

export function selfIn({ actor }: Identity): Operation['object'] {
  return { type: 'person', id: actor.userId, name: actor.name };
}

/** Posts a security warning into the person's own inbox. */
export function warn<T extends inbox.MessageTemplate>(
  tx: Tx,
  { messages }: PersonalDeps,
  person: PersonKey,
  template: T,
  ...[params]: keyof inbox.MessageValues<T> extends never ? [] : [params: inbox.MessageValues<T>]
): Promise<void> {
  return messages.post<T>(tx, person.accountId, {
    template,
    params: params ?? ({} as inbox.MessageValues<T>),
    link: '/security',
    personId: person.personId,
  });
}
