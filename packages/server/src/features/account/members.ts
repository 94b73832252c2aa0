import { type account as contract, networksOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { readRole } from '../identity/account-roles.ts';
import { accountOf } from '../identity/accounts.ts';
import {
  changeMember,
  lockMember,
  type Membership,
  membersOf,
  refuseBeyondOwn,
  refuseOwners,
  removeMember,
  requireWholeAccount,
} from '../identity/rights.ts';
import { record } from '../logs/audit.ts';
import { type AccountDeps, choiceOf, pageOf, refuseNarrowManagers, shownRight } from './context.ts';
import { endInvitationsOf, invites } from './invitations.ts';

type Parts = Pick<Handlers<typeof contract>, 'memberList' | 'memberUpdate' | 'memberRemove'>;

export function memberHandlers({ database, bus, clock, messages }: AccountDeps): Parts {
  async function locked(tx: Tx, accountId: string, id: string): Promise<Membership> {
    const member = await lockMember(tx, accountId, id);
    if (!member) throw new Failure('notFound');
    return member;
  }

  async function tell(
    tx: Tx,
    accountId: string,
    { home, personId }: Membership,
    template: 'memberChanged' | 'memberRemoved',
  ): Promise<void> {
    const { name } = await accountOf(tx, accountId);
    await messages.post(tx, home, { type: 'system', template, params: { account: name }, personId });
  }

  return {
    memberList: ({ acting, identity, input }) =>
      database.withSystem(async (tx) => {
        const { list, total } = await membersOf(tx, acting.accountId, pageOf(input));
        const visible = networksOf(identity.actor);
        return {
          total,
          list: list.map(({ created_at, last_active_at, gwids, ...row }) => ({
            ...row,
            // hides networks outside the caller's scope
            gwids: visible && gwids ? gwids.filter((gwid) => visible.includes(gwid)) : gwids,
            self: row.id === identity.actor.userId,
            created_at: created_at.toISOString(),
            last_active_at: last_active_at?.toISOString() ?? null,
          })),
        };
      }),

    memberUpdate: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        const { id } = input;
        requireWholeAccount(acting);
        const member = await locked(tx, acting.accountId, id);
        const { role: chosen = member.role, role_id = input.role ? null : member.role_id } = input;
        const role = await readRole(tx, acting.accountId, choiceOf({ role: chosen, role_id }));
        const gwids = input.gwids === undefined ? member.gwids : input.gwids;
        refuseOwners(acting, member.role, role.role);
        refuseBeyondOwn(acting, [...member.permissions, ...role.permissions]);
        refuseNarrowManagers(role.permissions, gwids);
        await changeMember(tx, acting.accountId, id, { ...role, gwids });
        await record(tx, acting, {
          action: 'member.update',
          object: { type: 'member', id, name: member.login },
          before: shownRight(member),
          after: shownRight({ ...role, gwids }),
          inverse: {
            path: '/api/v3/account/member/update',
            input: { id, role: member.role, role_id: member.role_id, gwids: member.gwids },
          },
        });
        if (!invites(role)) await endInvitationsOf(tx, acting, id, clock.now());
        if (id !== acting.userId) await tell(tx, acting.accountId, member, 'memberChanged');
        rightsChanged(tx, bus, id, acting.accountId);
        return {};
      }),

    memberRemove: ({ acting, input: { id } }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        const member = await locked(tx, acting.accountId, id);
        refuseOwners(acting, member.role);
        refuseBeyondOwn(acting, member.permissions);
        await removeMember(tx, acting.accountId, id);
        await record(tx, acting, {
          action: 'member.remove',
          object: { type: 'member', id, name: member.login },
          before: shownRight(member),
        });
        await endInvitationsOf(tx, acting, id, clock.now());
        if (id !== acting.userId) await tell(tx, acting.accountId, member, 'memberRemoved');
        rightsChanged(tx, bus, id, acting.accountId);
        return {};
      }),
  };
}
