import { account as contract, firstDayInZone } from '@yunxun/contract';
import { requireWholeAccount } from '../../platform/acting.ts';
import { invalid } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { enqueueOpenDayRecount } from '../../telemetry/zone-change.ts';
import { accounts, members } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { type AccountDeps, personIn } from './context.ts';
import { hostingHandlers } from './hosting.ts';
import { invitationHandlers } from './invitations.ts';
import { leaving } from './leaving.ts';
import { memberHandlers } from './members.ts';
import { roleRoutes } from './roles.ts';

export function accountRoutes(deps: AccountDeps): Route[] {
  const { database, clock } = deps;
  const routes = implement(contract, {
    ...memberHandlers(deps),
    ...invitationHandlers(deps),
    ...hostingHandlers(deps),
    ...leaving(deps),

    list: ({ identity }) =>
      database.withSystem(async (tx) => {
        const list = await members.membershipsOf(tx, personIn(identity));
        return { list, total: list.length };
      }),

    detail: async ({ tx, acting }) => {
      const account = await accounts.accountOf(tx, acting.accountId);
      const { account_id, name, time_zone, time_zone_from, trust_sites, created_at } = account;
      return { account_id, name, time_zone, time_zone_from, trust_sites, created_at: created_at.toISOString() };
    },

    async update({ tx, acting, input: { name, time_zone: zone, trust_sites: trust } }) {
      requireWholeAccount(acting);
      if (zone !== undefined && !isZone(zone)) invalid('time_zone', 'validation.timeZone');
      const old = await accounts.accountOf(tx, acting.accountId);
      const before = { name: old.name, time_zone: old.time_zone, trust_sites: old.trust_sites };
      const after = {
        name: name ?? old.name,
        time_zone: zone ?? old.time_zone,
        trust_sites: trust ?? old.trust_sites,
      };
      const from =
        after.time_zone === before.time_zone ? null : firstDayInZone(clock.now(), before.time_zone, after.time_zone);
      if (from !== null) {
        const zones = [before.time_zone, after.time_zone];
        await enqueueOpenDayRecount(tx, { accountId: acting.accountId, at: clock.now(), zones });
      }
      await accounts.changeAccount(tx, acting.accountId, { ...after, ...(from ? { time_zone_from: from } : {}) });
      const jobId = from === null ? null : await deps.zoneChanged(tx, acting);
      await record(tx, acting, {
        ...(jobId ? { jobId } : {}),
        action: 'account.update',
        object: { type: 'account', id: acting.accountId, name: after.name },
        before,
        after,
        inverse: { path: contract.update.path, input: before },
      });
      return { ...after, time_zone_from: from ?? old.time_zone_from };
    },

    grantors: ({ acting, input }) =>
      database.withSystem(async (tx) => ({
        list: input.permission === 'install.admin' ? [] : await members.grantorsOf(tx, acting.accountId),
      })),
  });
  return [...routes, ...roleRoutes(deps)];
}

function isZone(zone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
