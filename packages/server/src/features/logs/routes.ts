import { logs, networksOf } from '@yunxun/contract';
import type { Database, Tx } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Downloads } from '../../platform/http/download.ts';
import type { Calls } from '../../platform/http/invoke.ts';
import { operationFile, signInFile } from './files.ts';
import { operations, signIns, verifyChain } from './service.ts';
import { createUndo } from './undo.ts';

export type TimeZoneOf = (
  tx: Tx,
  person: { accountId: string; personId: string },
  accountId: string,
) => Promise<string>;

export interface LogRoutesDeps {
  database: Database;
  timeZoneOf: TimeZoneOf;
  calls: Calls;
  downloads: Downloads;
}

export function logRoutes({ database, calls, downloads, timeZoneOf }: LogRoutesDeps): Route[] {
  const undo = createUndo(calls);
  downloads.offer('operations', operationFile);
  downloads.offer('sign-ins', signInFile);

  const zoneOf = ({ actor }: { actor: { homeAccountId: string; userId: string; accountId: string } }) =>
    database.withSystem((tx) =>
      timeZoneOf(tx, { accountId: actor.homeAccountId, personId: actor.userId }, actor.accountId),
    );

  return implement(logs, {
    actionList: ({ tx, acting, input }) => operations(tx, acting, input, undo),
    async actionVerify({ acting, identity }) {
      // delegations may know whether the whole chain is intact
      const { rows, intact, broken_at } = await database.withSystem((tx) => verifyChain(tx, acting.accountId));
      return networksOf(identity.actor) ? { rows: null, intact, broken_at: null } : { rows, intact, broken_at };
    },
    async actionExport({ acting, caller, identity, input: { format, ...filter } }) {
      return downloads.open('operations', {
        acting,
        caller,
        identity,
        format,
        filter,
        timeZone: await zoneOf(identity),
      });
    },
    actionUndo: ({ inTenant, identity, acting, caller, input }) =>
      undo.undo({ inTenant, identity, acting, caller }, input.seq),
    authList: ({ tx, acting, input }) => signIns(tx, acting.accountId, input),
    async authExport({ acting, caller, identity, input: { format, ...filter } }) {
      return downloads.open('sign-ins', { acting, caller, identity, format, filter, timeZone: await zoneOf(identity) });
    },
  });
}
