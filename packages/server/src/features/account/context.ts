import { hasRight, type MemberRole, type Permission } from '@yunxun/contract';
import type { Acting, PersonKey } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Identity } from '../../platform/http/call.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { Decisions } from '../billing/index.ts';
import type { delegations, members, roles } from '../identity/index.ts';
import type { Messages } from '../messages/index.ts';

export type KnownRole = Awaited<ReturnType<typeof roles.readRole>>;
export type RoleChoice = Parameters<typeof roles.readRole>[2];
export type RoleContent = Awaited<ReturnType<typeof roles.lockRole>>;
export type Membership = NonNullable<Awaited<ReturnType<typeof members.lockMember>>>;
export type Delegation = NonNullable<Awaited<ReturnType<typeof delegations.lockDelegation>>>;
export type Hosted = Parameters<typeof delegations.createDelegation>[3];
export type ShownDelegation = Awaited<ReturnType<typeof delegations.delegationsOf>>['list'][number];

export interface AccountDeps {
  database: Database;
  clock: Clock;
  bus: Bus;
  outbox: Outbox;
  messages: Pick<Messages, 'post'>;
  publicUrl: string;
  decisions: Pick<Decisions, 'endChanges' | 'holdChange' | 'onChange'>;
  /** Pushes what devices hold in the account's time zone; returns the job. */
  zoneChanged(tx: Tx, acting: Acting): Promise<string | null>;
}

export const links = { received: '/account?tab=received', given: '/account?tab=given', members: '/account' } as const;

export function personIn({ actor }: Identity): PersonKey {
  return { accountId: actor.homeAccountId, personId: actor.userId };
}

export function pageOf({ page = 1, limit = 10, keyword }: Paging) {
  return { offset: (page - 1) * limit, limit, keyword };
}

interface Paging {
  page?: number | undefined;
  limit?: number | undefined;
  keyword?: string | undefined;
}

/** Omits address and undone row, for the other account's log. */
export function onOtherSide(acting: Acting, accountId: string): Acting {
  const actor = acting.actor!;
  const delegation = { permissions: [], gwids: [], to: acting.accountId };
  const there: Acting = {
    ...acting,
    accountId,
    ip: null,
    actor: { ...actor, accountId, role: null, rolePermissions: [], roleGwids: null, delegation },
  };
  delete there.undoes;
  return there;
}

/** @throws Failure noPermission if a non-owner changes or appoints an owner */
export function refuseOwners({ actor }: Acting, ...touched: readonly MemberRole[]): void {
  if (touched.includes('owner') && actor?.role !== 'owner') {
    throw new Failure('noPermission', { data: { permission: 'account.write', reason: 'owner' } });
  }
}

/** @throws Failure noPermission beyond the own permissions */
export function refuseBeyondOwn({ actor }: Acting, touched: readonly Permission[]): void {
  const missing = actor && touched.find((permission) => !hasRight(actor, permission));
  if (missing) throw new Failure('noPermission', { data: { permission: missing, reason: 'permission' } });
}

/** @throws Invalid for `gwids`: managers of members could grant themselves all */
export function refuseNarrowManagers(permissions: readonly Permission[], gwids: readonly string[] | null): void {
  if (gwids && permissions.includes('account.write')) invalid('gwids', 'validation.allNetworks');
}

/** @throws Invalid for `role_id` */
export function choiceOf({ role, role_id }: { role: MemberRole; role_id?: string | null | undefined }): RoleChoice {
  const choice = { role, role_id: role_id ?? null };
  if (role === 'custom' && choice.role_id === null) invalid('role_id', 'validation.required');
  if (role !== 'custom' && choice.role_id !== null) invalid('role_id', 'validation.choice');
  return choice;
}

/** Shows a custom role by its name. */
export function shownRight({
  role,
  roleName,
  gwids,
}: Pick<KnownRole, 'role' | 'roleName'> & { gwids: string[] | null }) {
  return roleName === null ? { role, gwids } : { role, role_name: roleName, gwids };
}
