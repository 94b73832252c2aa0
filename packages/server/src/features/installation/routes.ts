import { installation } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import type { ObjectResolver } from '../../platform/http/http-options.ts';
import { accounts } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { accountHandlers } from './account-handlers.ts';
import { type InstallationDeps, theInstallation } from './context.ts';
import { mapHandlers } from './map-handlers.ts';
import { providerHandlers } from './provider-handlers.ts';
import { settingHandlers } from './setting-handlers.ts';
import { claim, hasAdministrator, registrationOpen } from './settings.ts';

export function installationRoutes(deps: InstallationDeps): Route[] {
  const { database, outbox, version } = deps;
  return implement(installation, {
    ...settingHandlers(deps),
    ...providerHandlers(deps),
    ...accountHandlers(deps),
    ...mapHandlers(deps),

    state: async () => {
      const [sms, email] = await Promise.all([outbox.toFile('sms'), outbox.toFile('email')]);
      return database.withSystem(async (tx) => ({
        registration_open: await registrationOpen(tx),
        outbox_sms: sms,
        outbox_email: email,
        has_administrator: await hasAdministrator(tx),
        version,
        ...preparingOf(deps),
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

function preparingOf({ preparing }: InstallationDeps): { preparing?: { done: number; total: number } } {
  const progress = preparing();
  return progress ? { preparing: progress } : {};
}

/** Resolves over all accounts, past row security. */
export function installationObjects({ database }: Pick<InstallationDeps, 'database'>): Record<string, ObjectResolver> {
  return { account: (_tx, ids) => database.withSystem((tx) => accounts.knownAccounts(tx, ids)) };
}
