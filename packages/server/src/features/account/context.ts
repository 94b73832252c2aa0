import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import type { Identity } from '../../platform/http/call.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { PersonKey } from '../identity/people.ts';
import type { Messages } from '../messages/service.ts';

/** What an account's members, invitations and hosting work with. */
export interface AccountDeps {
  database: Database;
  clock: Clock;
  bus: Bus;
  outbox: Outbox;
  messages: Pick<Messages, 'post'>;
  /** Where people find the console, for links in letters. */
  publicUrl: string;
}

/** Where the console shows what was hosted to an account, and what it hosts. */
export const links = { received: '/account?tab=received', given: '/account?tab=given', members: '/account' } as const;

/** The person who calls. */
export function personIn({ actor }: Identity): PersonKey {
  return { accountId: actor.homeAccountId, personId: actor.userId };
}

/** A page of a list call. */
export function pageOf({ page = 1, limit = 10, keyword }: Paging) {
  return { offset: (page - 1) * limit, limit, keyword };
}

interface Paging {
  page?: number | undefined;
  limit?: number | undefined;
  keyword?: string | undefined;
}

/**
 * The same doing as the account on its other side has it in its log: somebody of the account acted in did it. From which
 * address is none of that side's business, and what the call takes back is a row of this side's log.
 */
export function onOtherSide(acting: Acting, accountId: string): Acting {
  const actor = acting.actor!;
  const grant = { permissions: [], gwids: [], to: acting.accountId };
  const there: Acting = {
    ...acting,
    accountId,
    ip: null,
    actor: { ...actor, accountId, role: null, roleGwids: null, grant },
  };
  delete there.undoes;
  return there;
}

/** @throws Invalid beside `gwids` for an owner or admin who would see only some networks: they may give themselves the others */
export function refuseNarrowManagers(role: string, gwids: readonly string[] | null): void {
  if (gwids && (role === 'owner' || role === 'admin')) invalid('gwids', 'validation.allNetworks');
}
