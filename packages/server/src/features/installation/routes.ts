import { installation } from '@yunxun/contract';
import type { Database } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { record } from '../logs/audit.ts';
import { claim, hasAdministrator, registrationOpen } from './settings.ts';

/** The installation's own screen, and what the sign-in page says of it. */
export function installationRoutes({ database, outbox, version }: InstallationDeps): Route[] {
  return implement(installation, {
    state: () =>
      database.withSystem(async (tx) => ({
        registration_open: await registrationOpen(tx),
        outbox: outbox.toFile,
        outbox_sms: outbox.toFile,
        outbox_email: outbox.toFile,
        has_administrator: await hasAdministrator(tx),
        version,
      })),
    claim: ({ identity: { actor }, acting, input }) =>
      database.withSystem(async (tx) => {
        await claim(tx, input.token, { accountId: actor.homeAccountId, personId: actor.userId });
        await record(tx, acting, {
          action: 'installation.claim',
          object: { type: 'installation', id: 'installation', name: 'Yunxun' },
        });
        return {};
      }),
  });
}

export interface InstallationDeps {
  database: Database;
  outbox: Outbox;
  version: string;
}
