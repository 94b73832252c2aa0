import { accountRoles as contract, limits } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { accounts, roles } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { type AccountDeps, pageOf, type RoleContent, refuseBeyondOwn } from './context.ts';
import { invitationNum, invitationsWithRole } from './invitation-store.ts';
import { endInvitationsOf, invites } from './invitations.ts';

export function roleRoutes({ database, clock, bus, messages, decisions }: AccountDeps): Route[] {
  async function tellHolders(tx: Tx, acting: Acting, holders: readonly { personId: string; home: string }[]) {
    const { name } = await accounts.accountOf(tx, acting.accountId);
    for (const { personId, home } of holders) {
      if (personId !== acting.userId) {
        const params = { account: name };
        await messages.post(tx, home, { template: 'memberChanged', params, personId });
      }
      rightsChanged(tx, bus, personId, acting.accountId);
    }
  }

  async function update(
    tx: Tx,
    acting: Acting,
    id: string,
    before: RoleContent,
    after: RoleContent,
    by?: string,
  ): Promise<void> {
    const { accountId } = acting;
    const now = clock.now();
    const holders = await roles.membersWithRole(tx, accountId, id);
    await roles.changeRole(tx, accountId, id, after, now);
    await record(tx, acting, {
      action: 'member.role_update',
      object: { type: 'role', id, name: after.name },
      before,
      after: { ...after, ...(by === undefined ? {} : { by }) },
      inverse: { path: contract.roleUpdate.path, input: { id, ...before } },
    });
    if (!invites(after)) {
      for (const { personId } of holders) await endInvitationsOf(tx, acting, personId, now);
    }
    await tellHolders(tx, acting, holders);
  }

  // checked at the request
  decisions.onChange('role_update', async (tx, acting, { object, input, by }) => {
    const before = await roles.lockRole(tx, acting.accountId, object);
    const { name, permissions } = { ...before, ...(input as Partial<RoleContent>) };
    await update(tx, acting, object, before, { name, permissions }, by);
  });

  return implement(contract, {
    roleList: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        const { list, total } = await roles.listRoles(tx, acting.accountId, invitationNum, {
          ...pageOf(input),
          sort: input.sort,
          order: input.order,
        });
        return { total, list: list.map((row) => ({ ...row, updated_at: row.updated_at.toISOString() })) };
      }),

    roleCreate: ({ acting, input: { name, permissions } }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        checkName(name);
        refuseBeyondOwn(acting, permissions);
        const content = { name, permissions };
        const id = await roles.createRole(tx, acting.accountId, content, limits.rolesPerAccount, clock.now());
        await record(tx, acting, {
          action: 'member.role_create',
          object: { type: 'role', id, name },
          after: content,
          inverse: { path: contract.roleDelete.path, input: { id } },
        });
        return { id };
      }),

    roleUpdate: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        const { id } = input;
        const { accountId } = acting;
        const before = await roles.lockRole(tx, accountId, id);
        const { name, permissions } = { ...before, ...input };
        checkName(name);
        refuseBeyondOwn(acting, [...before.permissions, ...permissions]);
        const holders = await roles.membersWithRole(tx, accountId, id);
        if (invites({ permissions })) {
          const invited = await invitationsWithRole(tx, accountId, id);
          const narrow = [...holders, ...invited].filter(({ gwids }) => gwids !== null);
          if (narrow.length > 0) invalid('permissions', 'validation.narrowHolders', { names: namesOf(narrow) });
        }
        const ends = before.permissions.includes('billing.write') && !permissions.includes('billing.write');
        const gone = ends ? holders.flatMap(({ gwids, personId }) => (gwids === null ? [personId] : [])) : [];
        const asked = { kind: 'role_update', object: id, name: before.name, input, gone } as const;
        if (await decisions.holdChange(tx, acting, asked)) return { waiting: true };
        await update(tx, acting, id, before, { name, permissions });
        return { waiting: false };
      }),

    roleDelete: ({ acting, input: { id } }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        const { accountId } = acting;
        const before = await roles.lockRole(tx, accountId, id);
        refuseBeyondOwn(acting, before.permissions);
        const members = await roles.membersWithRole(tx, accountId, id);
        const invitations = await invitationsWithRole(tx, accountId, id);
        const holders = [...members, ...invitations];
        if (holders.length > 0) {
          throw new Failure('inUse', {
            data: { members: members.map(({ name }) => name), invitations: invitations.map(({ name }) => name) },
            params: { kind: 'role', names: namesOf(holders) },
          });
        }
        await roles.deleteRole(tx, accountId, id);
        await decisions.endChanges(tx, acting, id);
        await record(tx, acting, {
          action: 'member.role_delete',
          object: { type: 'role', id, name: before.name },
          before,
        });
        return {};
      }),
  });
}

/** @throws Invalid for look-alikes: spaces around, control characters */
function checkName(name: string): void {
  if (name.trim() !== name || /\p{Cc}/u.test(name)) invalid('name', 'validation.invalid');
}

const namesOf = (holders: readonly { name: string }[]) => holders.map(({ name }) => name).join(', ');
