import { type account as contract, networksOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { accountOf } from '../identity/accounts.ts';
import {
  changeMember,
  lockMember,
  type Membership,
  membersOf,
  refuseNarrowed,
  refuseOwners,
  removeMember,
} from '../identity/rights.ts';
import { record } from '../logs/audit.ts';
import { type AccountDeps, pageOf, refuseNarrowManagers } from './context.ts';
import { endInvitationsOf } from './invitations.ts';

type Parts = Pick<Handlers<typeof contract>, 'memberList' | 'memberUpdate' | 'memberRemove'>;

/** Who works in an account, as what, and on which networks. */
export function memberHandlers({ database, bus, clock, messages }: AccountDeps): Parts {
  /** @throws Failure notFound for somebody who has left a moment ago */
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
            // which other networks there are is not shown to whoever sees only some
            gwids: visible && gwids ? gwids.filter((gwid) => visible.includes(gwid)) : gwids,
            self: row.id === identity.actor.userId,
            created_at: created_at.toISOString(),
            last_active_at: last_active_at?.toISOString() ?? null,
          })),
        };
      }),

    memberUpdate: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        const { id, role, gwids } = input;
        refuseNarrowed(acting);
        const member = await locked(tx, acting.accountId, id);
        refuseOwners(acting, member.role, role);
        refuseNarrowManagers(role, gwids);
        await changeMember(tx, acting.accountId, id, { role, gwids });
        const before = { role: member.role, gwids: member.gwids };
        await record(tx, acting, {
          action: 'member.update',
          object: { type: 'member', id, name: member.login },
          before,
          after: { role, gwids },
          inverse: { path: '/api/v3/account/member/update', input: { id, ...before } },
        });
        await endInvitationsOf(tx, acting, id, role, clock.now());
        if (id !== acting.userId) await tell(tx, acting.accountId, member, 'memberChanged');
        rightsChanged(tx, bus, id, acting.accountId);
        return {};
      }),

    memberRemove: ({ acting, input: { id } }) =>
      database.withSystem(async (tx) => {
        refuseNarrowed(acting);
        const member = await locked(tx, acting.accountId, id);
        refuseOwners(acting, member.role);
        await removeMember(tx, acting.accountId, id);
        await record(tx, acting, {
          action: 'member.remove',
          object: { type: 'member', id, name: member.login },
          before: { role: member.role, gwids: member.gwids },
        });
        await endInvitationsOf(tx, acting, id, null, clock.now());
        if (id !== acting.userId) await tell(tx, acting.accountId, member, 'memberRemoved');
        rightsChanged(tx, bus, id, acting.accountId);
        return {};
      }),
  };
}
