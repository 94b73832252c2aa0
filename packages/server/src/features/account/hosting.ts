import { account as contract, networksOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Handlers, Identity } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { accounts, delegations } from '../identity/index.ts';
import { recordBoth } from '../logs/index.ts';
import {
  type AccountDeps,
  type Delegation,
  type Hosted,
  links,
  onOtherSide,
  pageOf,
  refuseBeyondOwn,
  type ShownDelegation,
} from './context.ts';
import { readLogin } from './invitation-store.ts';

type Parts = Pick<
  Handlers<typeof contract>,
  'hostingList' | 'hostingReceived' | 'hostingGrant' | 'hostingUpdate' | 'hostingRevoke' | 'hostingGiveBack'
>;

/** For both logs and the other account's inbox. */
export interface Change {
  action: 'hosting.grant' | 'hosting.update' | 'hosting.revoke';
  template: 'hostingGranted' | 'hostingChanged' | 'hostingRevoked';
  before?: Hosted;
  after?: Hosted;
  inverse?: { path: string; input: unknown };
}

export function hostingHandlers(deps: AccountDeps): Parts {
  const { database, clock } = deps;

  /** @throws Failure notFound for a delegation that has ended */
  async function locked(tx: Tx, accountId: string, id: string): Promise<Delegation> {
    const delegation = await delegations.lockDelegation(tx, { accountId, id });
    if (!delegation) throw new Failure('notFound');
    return delegation;
  }

  async function end(tx: Tx, acting: Acting, delegation: Delegation): Promise<void> {
    await delegations.revokeDelegation(tx, delegation, clock.now());
    const before: Hosted = { permissions: delegation.permissions, gwids: delegation.gwids };
    await announce(tx, deps, acting, delegation, { action: 'hosting.revoke', template: 'hostingRevoked', before });
  }

  return {
    hostingList: async ({ acting, identity, input, inTenant }) => {
      const { accountId } = acting;
      const page = await database.withSystem((tx) => delegations.delegationsOf(tx, accountId, 'given', pageOf(input)));
      // row security hides other networks' names
      const names = await inTenant((tx) => fleetNetworks.names(tx, accountId, idsOf(page.list)));
      return { total: page.total, list: page.list.map((row) => present(row, names, identity)) };
    },

    hostingReceived: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        const { list, total } = await delegations.delegationsOf(tx, acting.accountId, 'received', pageOf(input));
        const rows = [];
        for (const row of list) rows.push(present(row, await fleetNetworks.names(tx, row.account_id, row.gwids ?? [])));
        return { total, list: rows };
      }),

    hostingGrant: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        refuseBeyondOwn(acting, input.permissions);
        const { kind, value } = readLogin(input.login);
        const to = await delegations.accountOwnedBy(tx, kind, value);
        if (!to) return invalid('login', 'validation.unknownLogin');
        if (to.accountId === acting.accountId) return invalid('login', 'validation.ownAccount');
        const after: Hosted = { permissions: input.permissions, gwids: input.gwids };
        const { id, before } = await delegations.createDelegation(
          tx,
          acting.accountId,
          to.accountId,
          after,
          clock.now(),
        );
        const delegation = { id, accountId: acting.accountId, to: to.accountId };
        await announce(
          tx,
          deps,
          acting,
          delegation,
          before
            ? { action: 'hosting.update', template: 'hostingChanged', before, after, inverse: updateTo(id, before) }
            : {
                action: 'hosting.grant',
                template: 'hostingGranted',
                after,
                inverse: { path: contract.hostingRevoke.path, input: { id } },
              },
        );
        return { id, replaced: before !== null };
      }),

    hostingUpdate: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        const delegation = await locked(tx, acting.accountId, input.id);
        const before: Hosted = { permissions: delegation.permissions, gwids: delegation.gwids };
        const { permissions = before.permissions, gwids = before.gwids } = input;
        refuseBeyondOwn(acting, permissions);
        const after: Hosted = { permissions, gwids };
        await delegations.changeDelegation(tx, delegation, after);
        const inverse = updateTo(delegation.id, before);
        await announce(tx, deps, acting, delegation, {
          action: 'hosting.update',
          template: 'hostingChanged',
          before,
          after,
          inverse,
        });
        return {};
      }),

    hostingRevoke: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        await end(tx, acting, await locked(tx, acting.accountId, input.id));
        return {};
      }),

    hostingGiveBack: ({ acting, input: { id } }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting);
        const delegation = await delegations.lockDelegation(tx, { id, to: acting.accountId });
        if (!delegation) throw new Failure('notFound');
        await end(tx, acting, delegation);
        return {};
      }),
  };
}

/** Writes both logs and the inbox; open pages refresh rights. */
export async function announce(
  tx: Tx,
  { bus, messages }: Pick<AccountDeps, 'bus' | 'messages'>,
  acting: Acting,
  { id, accountId, to }: Pick<Delegation, 'id' | 'accountId' | 'to'>,
  { template, inverse, ...operation }: Change,
): Promise<void> {
  const other = acting.accountId === accountId ? to : accountId;
  const [here, there] = [await accounts.accountOf(tx, acting.accountId), await accounts.accountOf(tx, other)];
  const object = (name: string) => ({ type: 'grant' as const, id, name });
  await recordBoth(tx, [
    [acting, { ...operation, object: object(there.name), ...(inverse ? { inverse } : {}) }],
    [onOtherSide(acting, other), { ...operation, object: object(here.name) }],
  ]);
  const link = other === to ? links.received : links.given;
  const by = acting.actor?.name ?? here.name;
  await messages.post(tx, other, { template, params: { account: here.name, by }, link });
  rightsChanged(tx, bus, accountId, to);
}

function updateTo(id: string, { permissions, gwids }: Hosted) {
  return { path: contract.hostingUpdate.path, input: { id, permissions, gwids } };
}

function idsOf(shown: readonly ShownDelegation[]): string[] {
  return shown.flatMap((delegation) => delegation.gwids ?? []);
}

function present(
  { created_at, last_used_at, gwids, ...row }: ShownDelegation,
  names: ReadonlyMap<string, string>,
  viewer?: Identity,
) {
  const visible = viewer ? networksOf(viewer.actor) : null;
  const shown = visible && gwids ? gwids.filter((gwid) => visible.includes(gwid)) : gwids;
  return {
    ...row,
    gwids: shown,
    network_names: (shown ?? []).flatMap((gwid) => names.get(gwid) ?? []),
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
