import type { Bus } from '../../platform/bus/index.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import type { UnbindParticipant } from '../fleet/unbind.ts';
import { forgetNetworkOfDelegations } from '../identity/hosting.ts';
import { forgetNetworkOfMembers } from '../identity/rights.ts';

/** Removes an unbound network from delegations and limited memberships. */
export function hostingOfUnbound(bus: Bus): UnbindParticipant {
  return {
    part: 'hosting',
    async remove(tx, { accountId, gwid, at }) {
      if (!gwid) return 0;
      await forgetNetworkOfMembers(tx, accountId, gwid);
      const delegations = await forgetNetworkOfDelegations(tx, accountId, gwid, at);
      rightsChanged(tx, bus, accountId, ...delegations.map((delegation) => delegation.to));
      return delegations.length;
    },
  };
}
