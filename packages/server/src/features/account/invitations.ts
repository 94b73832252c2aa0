import { type account as contract, limits, networksOf, type Permission } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { countMessage } from '../../platform/outbox/message-limits.ts';
import { accounts, members, people, roles } from '../identity/index.ts';
import { record, recordBoth } from '../logs/index.ts';
import {
  type AccountDeps,
  choiceOf,
  links,
  pageOf,
  personIn,
  refuseBeyondOwn,
  refuseNarrowManagers,
  shownRight,
} from './context.ts';
import {
  endInvitationsBy,
  invitationBehind,
  invitationFor,
  openInvitation,
  openInvitations,
  readLogin,
  revokeInvitation,
  useInvitation,
} from './invitation-store.ts';

type Parts = Pick<
  Handlers<typeof contract>,
  'invite' | 'invitationList' | 'invitationRevoke' | 'invitationGreet' | 'invitationLook' | 'invitationAccept'
>;

export const invites = ({ permissions }: { permissions: readonly Permission[] }) =>
  permissions.includes('account.write');

/** Ends open invitations by a person who may invite no more. */
export async function endInvitationsOf(tx: Tx, acting: Acting, personId: string, now: Date): Promise<void> {
  for (const { id, login } of await endInvitationsBy(tx, acting.accountId, personId, now)) {
    await record(tx, acting, {
      action: 'member.invitation_revoke',
      object: { type: 'invitation', id, name: login },
    });
  }
}

export function invitationHandlers({ database, clock, outbox, messages, publicUrl }: AccountDeps): Parts {
  return {
    async invite({ acting, input, caller }) {
      requireWholeAccount(acting);
      const login = readLogin(input.login);
      const { accountId } = acting;
      const inviter = acting.actor!.name;
      return database.withSystem(async (tx) => {
        // against a concurrent removal of the right to invite
        const self = await members.lockMember(tx, accountId, acting.userId!);
        if (!self || !invites(self)) {
          throw new Failure('noPermission', { data: { permission: 'account.write', reason: 'permission' } });
        }
        const role = await roles.readRole(tx, accountId, choiceOf(input));
        refuseBeyondOwn(acting, role.permissions);
        refuseNarrowManagers(role.permissions, input.gwids);
        const offer = { login: login.value, role: role.role, role_id: role.role_id, gwids: input.gwids };
        const channel = login.kind === 'mobile' ? 'sms' : 'email';
        const found = await people.findPerson(tx, login.kind, login.value);
        if (found && (await members.isMember(tx, accountId, found))) invalid('login', 'validation.alreadyMember');
        await countMessage(tx, { channel, target: login.value }, caller, clock.now());
        const { id, token, replaced } = await openInvitation(
          tx,
          accountId,
          offer,
          { personId: acting.userId!, login: inviter },
          clock.now(),
        );
        for (const old of replaced) {
          await record(tx, acting, {
            action: 'member.invitation_revoke',
            object: { type: 'invitation', id: old, name: login.value },
          });
        }
        await record(tx, acting, {
          action: 'member.invite',
          object: { type: 'invitation', id, name: login.value },
          after: shownRight({ ...role, gwids: offer.gwids }),
          inverse: { path: '/api/v3/account/invitation/revoke', input: { id } },
        });
        const locale = found ? (await people.personOf(tx, found)).locale : caller.locale;
        // a stranger's browser has no choice yet
        const url = `${publicUrl}/invitation/${token}${found ? '' : `?lang=${locale}`}`;
        const account = (await accounts.accountOf(tx, accountId)).name;
        const params = { inviter, account, url, days: limits.invitationDays };
        await outbox.queue(tx, {
          accountId,
          channel,
          to: login.value,
          template: 'invitation',
          params,
          locale,
        });
        afterCommit(tx, () => void outbox.flush());
        if (found) {
          await messages.post(tx, found.accountId, {
            template: 'invitation',
            params: { inviter, account, days: limits.invitationDays },
            // no token: for this person only
            link: `/invitation/${id}`,
            personId: found.personId,
          });
        }
        return { id, url };
      });
    },

    async invitationList({ tx, acting, identity, input }) {
      const { list, total } = await openInvitations(tx, acting.accountId, pageOf(input));
      const visible = networksOf(identity.actor);
      return {
        total,
        list: list.map(({ created_at, expires_at, gwids, ...row }) => ({
          ...row,
          gwids: visible && gwids ? gwids.filter((gwid) => visible.includes(gwid)) : gwids,
          created_at: created_at.toISOString(),
          expires_at: expires_at.toISOString(),
          expired: expires_at <= clock.now(),
        })),
      };
    },

    async invitationRevoke({ tx, acting, input: { id } }) {
      requireWholeAccount(acting);
      const { login, ...offer } = await revokeInvitation(tx, acting.accountId, id, clock.now());
      const role = await roles.readRole(tx, acting.accountId, offer);
      await record(tx, acting, {
        action: 'member.invitation_revoke',
        object: { type: 'invitation', id, name: login },
        before: shownRight({ ...role, gwids: offer.gwids }),
      });
      return {};
    },

    invitationGreet: ({ input }) =>
      database.withSystem(async (tx) => {
        const { account_name, invited_by, login } = await invitationBehind(tx, input.token, clock.now());
        return { account_name, invited_by, login };
      }),

    invitationLook: ({ identity, input }) =>
      database.withSystem(async (tx) => {
        const found = await invitationFor(tx, input.token, personIn(identity), clock.now());
        const { account_name, invited_by, expires_at } = found;
        const { role, roleName, permissions } = await roles.readRole(tx, found.account_id, found);
        return {
          account_name,
          invited_by,
          role,
          role_name: roleName,
          permissions: [...permissions],
          expires_at: expires_at.toISOString(),
        };
      }),

    invitationAccept: ({ acting, identity, input }) =>
      database.withSystem(async (tx) => {
        const now = clock.now();
        const person = personIn(identity);
        const found = await invitationFor(tx, input.token, person, now);
        const { account_id: accountId, gwids } = found;
        const known = await roles.readRole(tx, accountId, found);
        const { role, role_id, permissions } = known;
        await useInvitation(tx, found, now);
        // existing members keep their role
        if (!(await members.addMember(tx, accountId, person, { role, role_id, gwids }, now)))
          throw new Failure('tokenUsed');
        const { actor } = identity;
        const rights = { role, rolePermissions: permissions, roleGwids: gwids, delegation: null };
        const asMember = { ...acting, accountId, actor: { ...actor, accountId, ...rights } };
        await recordBoth(tx, [
          // an accepted invitation cannot be undone
          [
            asMember,
            {
              action: 'member.invitation_accept',
              object: { type: 'invitation', id: found.id, name: found.login },
            },
          ],
          [
            asMember,
            {
              action: 'member.join',
              object: { type: 'member', id: actor.userId, name: actor.name },
              after: { ...shownRight({ ...known, gwids }), invited_by: found.invited_by },
            },
          ],
          [
            acting,
            {
              action: 'account.join',
              object: { type: 'account', id: accountId, name: found.account_name },
              after: { role, ...(known.roleName === null ? {} : { role_name: known.roleName }) },
            },
          ],
        ]);
        await messages.post(tx, accountId, {
          template: 'memberJoined',
          params: { person: actor.name },
          link: links.members,
        });
        return { account_id: accountId };
      }),
  };
}
