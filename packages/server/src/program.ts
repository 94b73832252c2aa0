import type { AddressInfo } from 'node:net';
import { type AnyEndpoint, api } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import { accountOfBindingCode } from './features/identity/accounts.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { createAuthenticator } from './features/identity/sessions.ts';
import { jobRoutes } from './features/jobs/routes.ts';
import { createJobs } from './features/jobs/service.ts';
import { knownJobs } from './features/jobs/store.ts';
import { logRoutes } from './features/logs/routes.ts';
import { connectNats, createLocalBus } from './platform/bus/index.ts';
import type { Clock } from './platform/clock.ts';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { createAccountKeys } from './platform/crypto/account-keys.ts';
import { createSealer } from './platform/crypto/index.ts';
import type { Database } from './platform/database/index.ts';
import { mountApiPage } from './platform/http/api-page.ts';
import { mountHealth } from './platform/http/health.ts';
import { mountPages } from './platform/http/pages.ts';
import { createHttp, type HttpOptions, mount } from './platform/http/server.ts';
import { prepareQueue, startWorkers, type Workers } from './platform/jobs/index.ts';
import { mountLive } from './platform/live/index.ts';
import type { Log } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { createOutbox, fileAdapter } from './platform/outbox/index.ts';
import { version } from './version.ts';

export interface ProgramOptions {
  config: Config;
  database: Database;
  masterKey: Buffer;
  log: Log;
  clock?: Clock;
  /** The built console; null serves none. */
  webDir: string | null;
  /** Calls per address and minute. */
  callsPerMinute?: number;
}

/** A running program. */
export interface Program {
  /** Where the console answers, on this machine. */
  httpUrl: string;
  httpPort: number;
  version: string;
  stop(): Promise<void>;
}

/** Puts the program together: the only place that knows every feature. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { config, database, log, masterKey } = options;
  const clock = options.clock ?? systemClock;
  const failed = (error: unknown, subject: string) => log.error({ err: error, subject }, 'bus handler failed');
  const metrics = createMetrics(true);
  const master = createSealer(masterKey);
  const accountKeys = createAccountKeys(master);
  const bus = config.busUrl ? await connectNats({ url: config.busUrl, failed }) : createLocalBus(failed);
  const outbox = createOutbox(database, fileAdapter(config.dataDir, log), log, true);
  await prepareQueue(database);
  const jobs = createJobs({ database, bus, clock });

  const http: HttpOptions = {
    database,
    clock,
    log,
    tls: config.tls,
    authenticate: createAuthenticator(database, clock, config.adminEmail),
    objects: { job: knownJobs },
    callsPerMinute: options.callsPerMinute ?? 6000,
  };

  let app: FastifyInstance | null = null;
  if (config.roles.includes('console')) {
    app = await createHttp(http);
    mount(app, http, [...identityRoutes({ database, clock, outbox, version }), ...jobRoutes(jobs), ...logRoutes()]);
    mountLive(app, http, bus);
    mountHealth(app, { database: () => database.ping() }, metrics);
    mountApiPage(app, allEndpoints(), version, config.publicUrl);
    await mountPages(app, options.webDir);
    await app.listen({ host: config.host, port: config.httpPort });
  }
  const workers: Workers | null = config.roles.includes('worker')
    ? await startWorkers(
        database,
        { ...jobs.tasks, outbox: () => outbox.flush() },
        [...jobs.schedules, { task: 'outbox', cron: '* * * * *' }],
        log,
      )
    : null;

  const httpPort = app ? (app.server.address() as AddressInfo).port : 0;
  return {
    httpUrl: `${config.tls ? 'https' : 'http'}://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${httpPort}`,
    httpPort,
    version,
    async stop() {
      await app?.close();
      await workers?.stop();
      await bus.close();
      await database.close();
    },
  };
}

/** Every endpoint of the contract. */
function allEndpoints(): AnyEndpoint[] {
  return Object.values(api).flatMap((group) =>
    Object.values(group).filter((member) => 'path' in member),
  ) as AnyEndpoint[];
}
