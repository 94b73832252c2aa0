import { type account as contract, type InputOf, networksOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { accounts, members, roles } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import {
  type AccountDeps,
  choiceOf,
  type KnownRole,
  type Membership,
  pageOf,
  refuseBeyondOwn,
  refuseNarrowManagers,
  refuseOwners,
  shownRight,
} from './context.ts';
import { endInvitationsOf, invites } from './invitations.ts';

type Change = InputOf<typeof contract.memberUpdate>;
type Scope = Pick<Membership, 'gwids'>;

/** As `decidersOf`. */
const decides = ({ permissions, gwids }: Pick<KnownRole, 'permissions'> & Scope) =>
  gwids === null && permissions.includes('billing.write');

type Parts = Pick<Handlers<typeof contract>, 'memberList' | 'memberUpdate' | 'memberRemove'>;

export function memberHandlers({ database, bus, clock, messages, decisions }: AccountDeps): Parts {
  async function locked(tx: Tx, accountId: string, id: string): Promise<Membership> {
    const member = await members.lockMember(tx, accountId, id);
    if (!member) throw new Failure('notFound');
    return member;
  }

  async function tell(
    tx: Tx,
    accountId: string,
    { home, personId }: Membership,
    template: 'memberChanged' | 'memberRemoved',
  ): Promise<void> {
    const { name } = await accounts.accountOf(tx, accountId);
    await messages.post(tx, home, { template, params: { account: name }, personId });
  }

  async function changed(tx: Tx, accountId: string, member: Membership, input: Change): Promise<KnownRole & Scope> {
    const { role: chosen = member.role, role_id = input.role ? null : member.role_id } = input;
    const role = await roles.readRole(tx, accountId, choiceOf({ role: chosen, role_id }));
    return { ...role, gwids: input.gwids === undefined ? member.gwids : input.gwids };
  }

  async function update(tx: Tx, acting: Acting, member: Membership, after: KnownRole & Scope, by?: string) {
    const { personId: id } = member;
    const { accountId } = acting;
    await members.changeMember(tx, accountId, id, after);
    await record(tx, acting, {
      action: 'member.update',
      object: { type: 'member', id, name: member.login },
      before: shownRight(member),
      after: { ...shownRight(after), ...(by === undefined ? {} : { by }) },
      inverse: {
        path: '/api/v3/account/member/update',
        input: { id, role: member.role, role_id: member.role_id, gwids: member.gwids },
      },
    });
    if (!invites(after)) await endInvitationsOf(tx, acting, id, clock.now());
    if (id !== acting.userId) await tell(tx, accountId, member, 'memberChanged');
    rightsChanged(tx, bus, id, accountId);
  }

  async function remove(tx: Tx, acting: Acting, member: Membership, by?: string): Promise<void> {
    const { personId: id } = member;
    const { accountId } = acting;
    await members.removeMember(tx, accountId, id);
    await record(tx, acting, {
      action: 'member.remove',
      object: { type: 'member', id, name: member.login },
      before: shownRight(member),
      ...(by === undefined ? {} : { after: { by } }),
    });
    await endInvitationsOf(tx, acting, id, clock.now());
    await decisions.endChanges(tx, acting, id);
    if (id !== acting.userId) await tell(tx, accountId, member, 'memberRemoved');
    rightsChanged(tx, bus, id, accountId);
  }

  // checked at the request
  decisions.onChange('member_update', async (tx, acting, { object, input, by }) => {
    const member = await locked(tx, acting.accountId, object);
    await update(tx, acting, member, await changed(tx, acting.accountId, member, input as Change), by);
  });
  decisions.onChange('member_remove', async (tx, acting, { object, by }) =>
    remove(tx, acting, await locked(tx, acting.accountId, object), by),
  );

  return {
    memberList: ({ acting, identity, input }) =>
      database.withSystem(async (tx) => {
        const { list, total } = await members.membersOf(tx, acting.accountId, pageOf(input));
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
        requireWholeAccount(acting);
        const member = await locked(tx, acting.accountId, input.id);
        const after = await changed(tx, acting.accountId, member, input);
        refuseOwners(acting, member.role, after.role);
        refuseBeyondOwn(acting, [...member.permissions, ...after.permissions]);
        refuseNarrowManagers(after.permissions, after.gwids);
        const gone = decides(member) && !decides(after) ? [input.id] : [];
        const asked = { kind: 'member_update', object: input.id, name: member.login, input, gone } as const;
        if (await decisions.holdChange(tx, acting, asked)) return { waiting: true };
        await update(tx, acting, member, after);
        return { waiting: false };
      }),

    memberRemove: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        const member = await locked(tx, acting.accountId, input.id);
        refuseOwners(acting, member.role);
        refuseBeyondOwn(acting, member.permissions);
        const gone = decides(member) ? [input.id] : [];
        const asked = { kind: 'member_remove', object: input.id, name: member.login, input, gone } as const;
        if (await decisions.holdChange(tx, acting, asked)) return { waiting: true };
        await remove(tx, acting, member);
        return { waiting: false };
      }),
  };
}
