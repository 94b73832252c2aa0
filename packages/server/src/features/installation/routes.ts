import { installation } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import type { ObjectResolver } from '../../platform/http/server.ts';
import { knownAccounts } from '../identity/all-accounts.ts';
import { record } from '../logs/audit.ts';
import { accountHandlers } from './account-handlers.ts';
import { type InstallationDeps, theInstallation } from './context.ts';
import { providerHandlers } from './provider-handlers.ts';
import { settingHandlers } from './setting-handlers.ts';
import { claim, hasAdministrator, registrationOpen } from './settings.ts';

/** The installation's own screen, and what the sign-in page says of it. */
export function installationRoutes(deps: InstallationDeps): Route[] {
  const { database, outbox, version } = deps;
  return implement(installation, {
    ...settingHandlers(deps),
    ...providerHandlers(deps),
    ...accountHandlers(deps),

    state: async () => {
      const [sms, email] = await Promise.all([outbox.toFile('sms'), outbox.toFile('email')]);
      return database.withSystem(async (tx) => ({
        registration_open: await registrationOpen(tx),
        ...{ outbox_sms: sms, outbox_email: email },
        has_administrator: await hasAdministrator(tx),
        version,
      }));
    },

    claim: ({ identity: { actor }, acting, input }) =>
      database.withSystem(async (tx) => {
        await claim(tx, input.token, { accountId: actor.homeAccountId, personId: actor.userId });
        await record(tx, acting, { action: 'installation.claim', object: theInstallation });
        return {};
      }),
  });
}

/** What `account_id` names for the administrator: any account there is, which the caller's own row security would not show. */
export function installationObjects({ database }: Pick<InstallationDeps, 'database'>): Record<string, ObjectResolver> {
  return { account: (_tx, ids) => database.withSystem((tx) => knownAccounts(tx, ids)) };
}
