import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { createReset } from '../identity/reset.ts';
import { type Operation, record } from '../logs/audit.ts';
import type { Messages } from '../messages/service.ts';
import type { Providers } from './providers.ts';

/** What the installation's screen works with. */
export interface InstallationDeps {
  database: Database;
  clock: Clock;
  bus: Bus;
  outbox: Outbox;
  messages: Messages;
  providers: Providers;
  /** How an owner gets a new password. */
  reset: Pick<ReturnType<typeof createReset>, 'sendLink' | 'forgot'>;
  config: Pick<Config, 'publicUrl' | 'tls' | 'deviceClientCas' | 'adminEmail'>;
  /** Where devices connect, and the certificates that are shown to them. */
  device: { host: string; port: number };
  authority: { certificate: string; server: { certificate: string }; serverNames: readonly string[] };
  version: string;
}

/** The installation, as the object of an operation. */
export const theInstallation: Operation['object'] = { type: 'installation', id: 'installation', name: 'Yunxun' };

/**
 * Records what an administrator did to an account: in the administrator's own log, and in the account's, where nobody can
 * take it back.
 */
export async function recordInBoth(tx: Tx, acting: Acting, accountId: string, operation: Operation): Promise<void> {
  const { inverse: _theirs, ...shown } = operation;
  const rows = [
    { acting, operation },
    ...(accountId === acting.accountId ? [] : [{ acting: { ...acting, accountId }, operation: shown }]),
  ];
  // two administrators who work on each other's accounts take the logs in the same order
  rows.sort((a, b) => (a.acting.accountId < b.acting.accountId ? -1 : 1));
  for (const row of rows) await record(tx, row.acting, row.operation);
}
