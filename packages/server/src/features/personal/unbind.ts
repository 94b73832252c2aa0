import type { Bus } from '../../platform/bus/index.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import type { UnbindParticipant } from '../fleet/index.ts';
import { tokens } from '../identity/index.ts';
import { record } from '../logs/index.ts';

/** Removes an unbound network from API tokens; revokes those limited to it. */
export function tokensOfUnbound(bus: Bus): UnbindParticipant {
  return {
    part: 'open_platform',
    async remove(tx, { acting, accountId, gwid }) {
      if (!gwid) return 0;
      const changed = await tokens.forgetNetworkOfTokens(tx, accountId, gwid);
      for (const { id, name } of changed.filter(({ revoked }) => revoked)) {
        const object = { type: 'token' as const, id, name };
        await record(tx, acting, { action: 'person.revoke_token', object, gwid, before: { gwids: [gwid] } });
      }
      rightsChanged(tx, bus, ...new Set(changed.map(({ personId }) => personId)));
      return changed.length;
    },
  };
}
