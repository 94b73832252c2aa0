import { imports as contract } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Calls } from '../../platform/http/invoke.ts';
import { importMembers, memberRowsOf } from './members.ts';
import { rowsOf } from './rows.ts';
import { runImport } from './run.ts';

export function importRoutes({ calls, clock }: { calls: Calls; clock: Clock }): Route[] {
  return implement(contract, {
    read: async ({ input }) => ({ rows: await rowsOf(input.file) }),
    run: ({ inTenant, acting, identity, caller, input }) =>
      runImport(calls, {
        inTenant,
        accountId: acting.accountId,
        identity,
        caller,
        rows: input.rows,
        createNetworks: input.create_networks ?? false,
        dry: input.dry ?? false,
      }),
    membersRead: async ({ input }) => ({ rows: await memberRowsOf(input.file) }),
    members: ({ inTenant, acting, identity, caller, input }) =>
      importMembers(calls, { inTenant, accountId: acting.accountId, identity, caller, now: clock.now() }, input),
  });
}
