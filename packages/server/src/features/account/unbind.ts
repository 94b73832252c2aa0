import type { Bus } from '../../platform/bus/index.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import type { UnbindParticipant } from '../fleet/index.ts';
import { delegations, members } from '../identity/index.ts';

/** Removes an unbound network from delegations and limited memberships. */
export function hostingOfUnbound(bus: Bus): UnbindParticipant {
  return {
    part: 'hosting',
    async remove(tx, { accountId, gwid, at }) {
      if (!gwid) return 0;
      await members.forgetNetworkOfMembers(tx, accountId, gwid);
      const changed = await delegations.forgetNetworkOfDelegations(tx, accountId, gwid, at);
      rightsChanged(tx, bus, accountId, ...changed.map((delegation) => delegation.to));
      return changed.length;
    },
  };
}
