import { type account as contract, refusal } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { Failure } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { accountOf } from '../identity/accounts.ts';
import { lockGrant, revokeGrant } from '../identity/hosting.ts';
import { lockMember, refuseNarrowed, removeMember } from '../identity/rights.ts';
import type { Operation } from '../logs/audit.ts';
import { recordBoth } from '../logs/both-sides.ts';
import { type AccountDeps, links, personIn } from './context.ts';
import { announce } from './hosting.ts';
import { endInvitationsOf } from './invitations.ts';

/** Ends what a person, or the person's own account, may do in another account. */
export function leaving(deps: AccountDeps): Pick<Handlers<typeof contract>, 'leave'> {
  const { database, clock, bus, messages } = deps;
  return {
    leave: ({ acting, identity, input: { account_id: accountId } }) =>
      database.withSystem(async (tx) => {
        const { actor } = identity;
        const { accountId: home } = personIn(identity);
        const member = await lockMember(tx, accountId, actor.userId);
        if (member) {
          await removeMember(tx, accountId, actor.userId);
          const before = { role: member.role, gwids: member.gwids };
          const asMember = {
            ...{ ...acting, accountId },
            actor: { ...actor, accountId, role: member.role, roleGwids: member.gwids, grant: null },
          };
          const { name } = await accountOf(tx, accountId);
          const sides: [Acting, Operation][] = [
            [
              asMember,
              { action: 'member.leave', object: { type: 'member', id: actor.userId, name: actor.name }, before },
            ],
          ];
          const object = { type: 'account', id: accountId, name };
          if (accountId !== home) sides.push([acting, { action: 'account.leave', object, before }]);
          await recordBoth(tx, sides);
          await endInvitationsOf(tx, asMember, actor.userId, null, clock.now());
          const params = { person: actor.name };
          await messages.post(tx, accountId, { type: 'system', template: 'memberLeft', params, link: links.members });
          rightsChanged(tx, bus, actor.userId);
          return {};
        }
        const grant = await lockGrant(tx, { accountId, to: home });
        if (!grant) throw new Failure('notFound');
        // what is hosted to an account is the account's: who manages it may give it back
        const there = await lockMember(tx, home, actor.userId);
        const atHome = { ...actor, role: there?.role ?? null, roleGwids: there?.gwids ?? null, grant: null };
        const refused = refusal(atHome, { permission: 'account.write', effect: 'write' });
        if (refused) throw new Failure('noPermission', { data: refused });
        refuseNarrowed({ ...acting, actor: atHome });
        await revokeGrant(tx, grant, clock.now());
        const before = { permissions: grant.permissions, gwids: grant.gwids };
        await announce(tx, deps, acting, grant, { action: 'hosting.revoke', template: 'hostingRevoked', before });
        return {};
      }),
  };
}
