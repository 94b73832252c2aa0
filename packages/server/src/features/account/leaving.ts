import type { account as contract } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { Failure } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { accounts, members } from '../identity/index.ts';
import { type Operation, recordBoth } from '../logs/index.ts';
import { type AccountDeps, links, personIn, shownRight } from './context.ts';
import { endInvitationsOf } from './invitations.ts';

export function leaving({
  database,
  clock,
  bus,
  messages,
  decisions,
}: AccountDeps): Pick<Handlers<typeof contract>, 'leave'> {
  return {
    leave: ({ acting, identity, input: { account_id: accountId } }) =>
      database.withSystem(async (tx) => {
        const { actor } = identity;
        const member = await members.lockMember(tx, accountId, actor.userId);
        if (!member) throw new Failure('notFound');
        await members.removeMember(tx, accountId, actor.userId);
        const before = shownRight(member);
        const asMember = {
          ...acting,
          accountId,
          actor: {
            ...actor,
            accountId,
            role: member.role,
            rolePermissions: member.permissions,
            roleGwids: member.gwids,
            delegation: null,
          },
        };
        const { name } = await accounts.accountOf(tx, accountId);
        const sides: [Acting, Operation][] = [
          [
            asMember,
            { action: 'member.leave', object: { type: 'member' as const, id: actor.userId, name: actor.name }, before },
          ],
        ];
        const object = { type: 'account' as const, id: accountId, name };
        if (accountId !== personIn(identity).accountId)
          sides.push([acting, { action: 'account.leave', object, before }]);
        await recordBoth(tx, sides);
        await endInvitationsOf(tx, asMember, actor.userId, clock.now());
        await decisions.endChanges(tx, asMember, actor.userId);
        const params = { person: actor.name };
        await messages.post(tx, accountId, { template: 'memberLeft', params, link: links.members });
        rightsChanged(tx, bus, actor.userId);
        return {};
      }),
  };
}
