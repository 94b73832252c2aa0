import { loadVapidKeys } from './features/alarms/index.ts';
import type { PaymentEndpoints } from './features/billing/index.ts';
import { createProviders, type ProviderEndpoints } from './features/installation/index.ts';
import type { PortalTemplates } from './features/portal/index.ts';
import type { GuestGate } from './features/radius/index.ts';
import { type Bus, connectNats, createLocalBus } from './platform/bus/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { createAccountKeys } from './platform/crypto/account-keys.ts';
import { createSealer } from './platform/crypto/index.ts';
import type { Database } from './platform/database/index.ts';
import { watchPools } from './platform/database/metrics.ts';
import { createDownloads } from './platform/http/download.ts';
import { prepareQueue } from './platform/jobs/index.ts';
import type { Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { createOutbox, fileAdapter, type TellCode } from './platform/outbox/index.ts';
import type { ResolveHost } from './platform/outgoing/resolve-host.ts';
import { watchStorage } from './platform/storage.ts';
import { createSessionTotals } from './telemetry/index.ts';
import { loadAuthority, type UplinkOptions } from './uplink/index.ts';

export interface ProgramOptions {
  config: Config;
  database: Database;
  masterKey: Buffer;
  log: Log;
  clock?: Clock;
  webDir: string | null;
  edgeDir?: string | null;
  /** Multiplier of rate limits, for tests. */
  limitFactor?: number;
  providerEndpoints?: ProviderEndpoints | undefined;
  paymentEndpoints?: PaymentEndpoints | undefined;
  /** A demo: play money counts as yuan. */
  demo?: boolean;
  /** Shows codes for which there is no provider; absent: only the file has them. */
  tellCode?: TellCode | undefined;
  databaseDir?: string;
  /** `false`: recurring tasks run only when a test enqueues them. */
  recurring?: boolean;
  uplinkTimes?: UplinkOptions['times'];
  /** Milliseconds between checks of open remote sessions. */
  remoteSweep?: number;
  portalTemplates?: PortalTemplates;
  resolveHost?: ResolveHost;
  guestGate?: GuestGate;
  /** Ingest thread; in a build beside this file. */
  ingestWorker?: string;
  /** Thread that decodes a picture; in a build below this file. */
  pictureWorker?: string;
}

/** Null: no demo is being prepared. */
export type Preparing = { done: number; total: number } | null;

export type Base = Awaited<ReturnType<typeof createBase>>;

export async function createBase(options: ProgramOptions) {
  const { config, database, log, masterKey } = options;
  const clock = options.clock ?? systemClock;
  const metrics = createMetrics(true);
  watchPools(database, metrics);
  const master = createSealer(masterKey);
  const bus = await openBus(config, log);
  database.announceBy((subject, message) => bus.publish(subject, message));
  const folders = [config.dataDir, ...(options.databaseDir ? [options.databaseDir] : [])];
  const storage = await watchStorage({ folders, reserveBytes: config.diskReserveBytes, bus, log });
  const providers = createProviders({
    database,
    sealer: master,
    endpoints: options.providerEndpoints,
    privateSmtp: config.privateSmtp,
  });
  const outbox = createOutbox({
    database,
    clock,
    log,
    file: fileAdapter(config.dataDir, log, options.tellCode),
    providerOf: providers.of,
  });
  await prepareQueue(database);
  let preparing: Preparing = null;
  return {
    options,
    config,
    database,
    log,
    clock,
    metrics,
    keys: createAccountKeys(master),
    bus,
    storage,
    providers,
    outbox,
    downloads: createDownloads({ database, clock }),
    vapid: await loadVapidKeys(database, master),
    authority: await loadAuthority(database, master, config.deviceHost, clock),
    device: { host: config.deviceHost, port: config.devicePort },
    totals: createSessionTotals(),
    preparing: () => preparing,
    setPreparing(progress: Preparing): void {
      preparing = progress;
    },
    async stop(): Promise<void> {
      await outbox.stop();
      storage.stop();
      database.announceBy(() => undefined);
      await bus.close();
      await database.close();
    },
  };
}

function openBus(config: Config, log: Log): Promise<Bus> | Bus {
  const failed = (error: unknown, subject: string) => log.error({ err: error, subject }, 'bus handler failed');
  return config.busUrl ? connectNats({ url: config.busUrl, ca: config.busCa, failed }) : createLocalBus(failed);
}
