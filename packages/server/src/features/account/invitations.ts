import { type account as contract, limits, networksOf, type Role, rolePermissions } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { accountOf, findPerson } from '../identity/accounts.ts';
import { countLetter } from '../identity/codes.ts';
import {
  endInvitationsBy,
  invitationBehind,
  invitationFor,
  openInvitation,
  openInvitations,
  readLogin,
  revokeInvitation,
  useInvitation,
} from '../identity/invitations.ts';
import { personOf } from '../identity/people.ts';
import { addMember, isMember, lockMember, refuseNarrowed } from '../identity/rights.ts';
import { record } from '../logs/audit.ts';
import { recordBoth } from '../logs/both-sides.ts';
import { type AccountDeps, links, pageOf, personIn, refuseNarrowManagers } from './context.ts';

type Parts = Pick<
  Handlers<typeof contract>,
  'invite' | 'invitationList' | 'invitationRevoke' | 'invitationGreet' | 'invitationLook' | 'invitationAccept'
>;

const invites = (role: Role) => rolePermissions[role].includes('account.write');

/**
 * Ends the open invitations of somebody who now has another role in the account, or none (null), and may not invite with
 * it: an invitation is as good as the right that it was made with.
 */
export async function endInvitationsOf(
  tx: Tx,
  acting: Acting,
  personId: string,
  role: Role | null,
  now: Date,
): Promise<void> {
  if (role && invites(role)) return;
  for (const { id, login } of await endInvitationsBy(tx, acting.accountId, personId, now)) {
    await record(tx, acting, {
      action: 'member.invitation_revoke',
      object: { type: 'invitation', id, name: login },
    });
  }
}

/** How people are asked into an account, and come. */
export function invitationHandlers({ database, clock, outbox, messages, publicUrl }: AccountDeps): Parts {
  return {
    async invite({ acting, input, caller }) {
      refuseNarrowed(acting);
      refuseNarrowManagers(input.role, input.gwids);
      const login = readLogin(input.login);
      const { accountId } = acting;
      const offer = { login: login.value, role: input.role, gwids: input.gwids };
      const inviter = acting.actor!.name;
      return database.withSystem(async (tx) => {
        // whoever takes the right to invite away waits for this invitation, or this one for that
        const self = await lockMember(tx, accountId, acting.userId!);
        if (!self || !invites(self.role)) {
          throw new Failure('noPermission', { data: { permission: 'account.write', reason: 'permission' } });
        }
        const channel = login.kind === 'mobile' ? 'sms' : 'email';
        const found = await findPerson(tx, login.kind, login.value);
        if (found && (await isMember(tx, accountId, found))) invalid('login', 'validation.alreadyMember');
        await countLetter(tx, { channel, target: login.value }, caller, clock.now());
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
          after: { role: offer.role, gwids: offer.gwids },
          inverse: { path: '/api/v3/account/invitation/revoke', input: { id } },
        });
        const path = `/invitation/${token}`;
        const account = (await accountOf(tx, accountId)).name;
        const params = { inviter, account, url: publicUrl + path, days: limits.invitationDays };
        const locale = found ? (await personOf(tx, found)).locale : caller.locale;
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
            type: 'system',
            template: 'invitation',
            params: { inviter, account, days: limits.invitationDays },
            link: path,
            personId: found.personId,
          });
        }
        return { id, url: params.url };
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
      refuseNarrowed(acting);
      const { login, ...before } = await revokeInvitation(tx, acting.accountId, id, clock.now());
      await record(tx, acting, {
        action: 'member.invitation_revoke',
        object: { type: 'invitation', id, name: login },
        before,
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
        const { account_name, invited_by, role, expires_at } = found;
        return { account_name, invited_by, role, expires_at: expires_at.toISOString() };
      }),

    invitationAccept: ({ acting, identity, input }) =>
      database.withSystem(async (tx) => {
        const now = clock.now();
        const who = personIn(identity);
        const found = await invitationFor(tx, input.token, who, now);
        const { account_id: accountId, role, gwids } = found;
        await useInvitation(tx, found, now);
        // somebody who is in already stays what they are
        if (!(await addMember(tx, accountId, who, { role, gwids }, now))) throw new Failure('tokenUsed');
        const { actor } = identity;
        const asMember = { ...acting, accountId, actor: { ...actor, accountId, role, roleGwids: gwids, grant: null } };
        await recordBoth(tx, [
          // from here on there is nothing to take back
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
              after: { role, gwids, invited_by: found.invited_by },
            },
          ],
          [
            acting,
            {
              action: 'account.join',
              object: { type: 'account', id: accountId, name: found.account_name },
              after: { role },
            },
          ],
        ]);
        await messages.post(tx, accountId, {
          type: 'system',
          template: 'memberJoined',
          params: { person: actor.name },
          link: links.members,
        });
        return { account_id: accountId };
      }),
  };
}
