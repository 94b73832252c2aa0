import type { ObjectResolver } from '../../platform/http/http-options.ts';
import { delegations, members, roles } from '../identity/index.ts';
import type { AccountDeps } from './context.ts';
import { invited, knownInvitations } from './invitation-store.ts';
import { accountRoutes } from './routes.ts';
import { memberSearch } from './search.ts';
import { hostingOfUnbound } from './unbind.ts';

export function createAccount(deps: AccountDeps) {
  const objects: Readonly<Record<string, ObjectResolver>> = {
    member: members.knownMembers,
    invitation: knownInvitations,
    grant: delegations.knownDelegations,
    role: roles.knownRoles,
  };
  return {
    routes: () => accountRoutes(deps),
    objects,
    search: memberSearch(deps.database),
    unbind: hostingOfUnbound(deps.bus),
    invited,
  };
}
