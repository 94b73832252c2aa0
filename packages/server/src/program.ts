import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type AnyEndpoint, api } from '@yunxun/contract';
import { accountObjects, accountRoutes } from './features/account/routes.ts';
import { hostingOfUnbound } from './features/account/unbind.ts';
import { assetRoutes } from './features/assets/routes.ts';
import { createBackup } from './features/backup/index.ts';
import { billingRoutes } from './features/billing/routes.ts';
import { configurationRoutes } from './features/configuration/routes.ts';
import { createConfiguration } from './features/configuration/service.ts';
import { createFirmware } from './features/firmware/index.ts';
import { createCommands } from './features/fleet/commands.ts';
import { createFleet } from './features/fleet/index.ts';
import { networkNames } from './features/fleet/names.ts';
import { accountOfBindingCode } from './features/identity/accounts.ts';
import { createAuthenticator } from './features/identity/authenticator.ts';
import { createExpiry } from './features/identity/expiry.ts';
import { relyingPartyOf } from './features/identity/passkeys.ts';
import { createReset } from './features/identity/reset.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { importRoutes } from './features/imports/routes.ts';
import { createProviders, type ProviderEndpoints } from './features/installation/providers.ts';
import { installationObjects, installationRoutes } from './features/installation/routes.ts';
import { registrationOpen } from './features/installation/settings.ts';
import { jobRoutes } from './features/jobs/routes.ts';
import { createJobs } from './features/jobs/service.ts';
import { logRoutes } from './features/logs/routes.ts';
import { knownOperations } from './features/logs/store.ts';
import { mapRoutes } from './features/map/routes.ts';
import { messageRoutes } from './features/messages/routes.ts';
import { createMessages } from './features/messages/service.ts';
import { passwordRoutes } from './features/passwords/routes.ts';
import { createPasswordReader, createPasswords, passwordRulesAt } from './features/passwords/service.ts';
import { personalObjects, personalRoutes } from './features/personal/routes.ts';
import { radioPlanObjects, radioPlanRoutes } from './features/radio-plan/routes.ts';
import { createRadioPlans } from './features/radio-plan/service.ts';
import { createClosing } from './features/statistics/closing.ts';
import { statisticsRoutes } from './features/statistics/routes.ts';
import { templateRoutes } from './features/templates/routes.ts';
import { createTemplates } from './features/templates/service.ts';
import { topologyRoutes } from './features/topology/routes.ts';
import { blockedTerminals, createUsers } from './features/users/service.ts';
import { wirelessMonitorRoutes } from './features/wireless-monitor/routes.ts';
import { type Bus, connectNats, createLocalBus } from './platform/bus/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, type ProcessRole, workingRoles } from './platform/config.ts';
import { type AccountKeys, createAccountKeys } from './platform/crypto/account-keys.ts';
import { createSealer } from './platform/crypto/index.ts';
import type { Database } from './platform/database/index.ts';
import { watchPools } from './platform/database/metrics.ts';
import { mountApiPage } from './platform/http/api-page.ts';
import type { Route } from './platform/http/call.ts';
import { createDownloads, mountDownloads } from './platform/http/download.ts';
import { mountHealth } from './platform/http/health.ts';
import { createCalls } from './platform/http/invoke.ts';
import { mountPages } from './platform/http/pages.ts';
import { createHttp, type HttpOptions, mount } from './platform/http/server.ts';
import { mountUploads } from './platform/http/upload.ts';
import { prepareQueue, startWorkers } from './platform/jobs/index.ts';
import { mountLive } from './platform/live/index.ts';
import type { Log } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createOutbox, fileAdapter } from './platform/outbox/index.ts';
import {
  createIngest,
  createLatestWriter,
  createPresenceStore,
  type Ingest,
  readLatestState,
  readLatestStates,
  telemetryOfUnbound,
} from './telemetry/index.ts';
import { createTelemetryJobs } from './telemetry/jobs.ts';
import { ensurePartitions } from './telemetry/partitions.ts';
import {
  type Authority,
  createAdmission,
  createAgentSigner,
  createDevicePasswords,
  createRefusalLog,
  createRenewals,
  DeviceCommands,
  edgeBundlePath,
  edgeBundleVersion,
  loadAuthority,
  mountEdgeBundle,
  mountEnrolScript,
  startUplink,
  type UplinkHandlers,
  type UplinkOptions,
  uplinkRoutes,
  watchLostLinks,
} from './uplink/index.ts';
import { version } from './version.ts';

export interface ProgramOptions {
  config: Config;
  database: Database;
  masterKey: Buffer;
  log: Log;
  clock?: Clock;
  /** The built console; null serves none. */
  webDir: string | null;
  /** The built edge agent; without it the console has none to give. */
  edgeDir?: string | null;
  /** Multiplies the limits on calls; for tests that call more than people do. */
  limitFactor?: number;
  /** Where SMS providers answer, for tests that have some of their own. */
  providerEndpoints?: ProviderEndpoints | undefined;
  /** Times of the device port, for tests that cannot wait. */
  uplinkTimes?: UplinkOptions['times'];
  /** The file of the ingest thread; beside this one when the program is built. */
  ingestWorker?: string;
}

/** A running program. */
export interface Program {
  /** Where the console answers, on this machine. */
  httpUrl: string;
  httpPort: number;
  devicePort: number;
  version: string;
  bus: Bus;
  /** What takes the devices' reports, in a process that is a gateway. */
  ingest: Pick<Ingest, 'drain' | 'terminate'> | null;
  stop(): Promise<void>;
}

/** Puts the program together: the only place that knows every feature. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { config, database, log, masterKey } = options;
  const clock = options.clock ?? systemClock;
  const metrics = createMetrics(true);
  watchPools(database, metrics);
  const master = createSealer(masterKey);
  const accountKeys = createAccountKeys(master);
  const bus = await openBus(config, log);
  const providers = createProviders({ database, sealer: master, endpoints: options.providerEndpoints });
  const outbox = createOutbox({
    ...{ database, clock, log },
    file: fileAdapter(config.dataDir, log),
    providerOf: providers.of,
  });
  await prepareQueue(database);
  const authority = await loadAuthority(database, master, config.deviceHost, clock);

  const jobs = createJobs({ database, bus, clock });
  const messages = createMessages({ bus, clock, database, log });
  const downloads = createDownloads({ database, clock });
  const device = { host: config.deviceHost, port: config.devicePort };
  const fleet = createFleet({
    ...{ database, bus, clock, log, jobs, messages },
    deviceServer: () => ({ ...device, certificateNames: authority.serverNames, publicUrl: config.publicUrl }),
    async agentOffer() {
      const offered = await edgeBundleVersion(options.edgeDir ?? null);
      return offered === null ? null : { version: offered, uri: `${config.publicUrl}${edgeBundlePath}` };
    },
  });
  const configuration = createConfiguration({
    ...{ database, bus, clock, jobs },
    keys: accountKeys,
    commands: new DeviceCommands(bus),
    latestState: readLatestState,
    latestStates: readLatestStates,
    blockedTerminals,
    passwords: createPasswordReader(accountKeys),
    passwordRulesAt,
  });
  const users = createUsers({
    ...{ database, bus, clock, jobs, blocking: configuration.blocking },
    commands: new DeviceCommands(bus),
  });
  const backup = createBackup({
    ...{ database, clock, log, keys: accountKeys },
    ...{ settings: configuration.settings, changes: configuration.changes },
    standIn: fleet.standIn,
  });
  const templates = createTemplates({ clock, configuration });
  const passwords = createPasswords({ database, clock, keys: accountKeys, configuration, messages, outbox, log });
  fleet.groups.follow(configuration.forgetGroup);
  fleet.succeed(configuration.overrides.carry);
  fleet.unbind.join(configuration.unbind);
  fleet.unbind.join(backup.unbind);
  const firmware = createFirmware({
    ...{ database, clock, jobs, backup, publicUrl: config.publicUrl },
    commands: createCommands(new DeviceCommands(bus)),
    presence: fleet.presence,
  });
  fleet.unbind.join(hostingOfUnbound(bus));
  fleet.unbind.join(telemetryOfUnbound);
  const handlers: UplinkHandlers = users.joinHandlers(configuration.joinHandlers(fleet.handlers(firmware.connecting)));

  if (config.roles.some((role) => role === 'gateway' || role === 'worker')) await ensurePartitions(database, clock);
  let ingest: Ingest | null = null;
  const stops: (() => Promise<void>)[] = [];
  const readiness: Record<string, () => Promise<void>> = {
    database: () => database.ping(),
    migrations: () => database.checkMigrations(),
  };
  const ready = new Set<ProcessRole>();
  for (const role of config.roles.filter((one) => workingRoles.has(one))) {
    readiness[role] = async () => {
      if (!ready.has(role)) throw new Error('not started');
    };
  }
  try {
    if (config.roles.includes('gateway')) {
      const worker = options.ingestWorker ?? join(import.meta.dirname, 'telemetry/ingest/worker.js');
      ingest = createIngest({ database, worker, metrics, log });
      stops.push(ingest.stop);
      const uplink = await openUplink(
        { ...options, clock },
        { bus, metrics, accountKeys, authority, handlers, ingest },
      );
      stops.push(uplink.stop);
      device.port = uplink.port;
      ready.add('gateway');
    }
    const http: HttpOptions = {
      ...{ database, clock, log },
      tls: config.tls,
      pictureOrigin: config.mapTiles?.origin ?? null,
      authenticate: createAuthenticator(database, clock, config.adminEmail),
      objects: {
        ...{ ...jobs.objects, ...fleet.objects, ...messages.objects },
        ...{ ...personalObjects, ...accountObjects, ...installationObjects({ database }) },
        ...{ ...users.objects, ...templates.objects, ...passwords.objects },
        ...backup.objects,
        ...firmware.objects,
        ...radioPlanObjects,
        operation: knownOperations,
      },
      limitFactor: options.limitFactor ?? 1,
    };
    const app = await createHttp(http);
    stops.push(() => app.close());
    mountHealth(app, readiness, metrics, http.limitFactor);
    if (config.roles.includes('console')) {
      const enrolment = { database, bus, clock, authority, handlers, resolveBindingCode: accountOfBindingCode };
      const signer = createAgentSigner(masterKey);
      const rp = relyingPartyOf(config.publicUrl);
      const person = { database, clock, outbox, bus, messages, keys: accountKeys, rp };
      const signIn = { ...person, registrationOpen, publicUrl: config.publicUrl };
      const routes: Route[] = [
        ...identityRoutes(signIn),
        ...accountRoutes({ database, clock, bus, outbox, messages, publicUrl: config.publicUrl }),
        ...installationRoutes({
          ...{ database, clock, bus, outbox, messages, providers, config, device, authority, version },
          reset: createReset(signIn),
        }),
        ...personalRoutes(person),
        ...billingRoutes({ clock }),
        ...jobRoutes(jobs, { networkNames }),
        ...messageRoutes(messages),
        ...logRoutes({ database, downloads, calls: createCalls(http, () => routes) }),
        ...fleet.routes({ downloads, inForceOf: configuration.inForceOf }),
        ...configurationRoutes(configuration),
        ...templateRoutes(templates),
        ...passwordRoutes(passwords),
        ...backup.routes(),
        ...firmware.routes(),
        ...statisticsRoutes({ clock }),
        ...topologyRoutes({ clock }),
        ...mapRoutes({ clock, tiles: config.mapTiles }),
        ...importRoutes({ calls: createCalls(http, () => routes) }),
        ...assetRoutes({ database, clock, downloads }),
        ...users.routes(downloads),
        ...wirelessMonitorRoutes({ clock }),
        ...radioPlanRoutes(createRadioPlans({ clock, overrides: configuration.overrides, fleet })),
        ...uplinkRoutes({ ...enrolment, server: device, signingKey: signer.publicKey }),
      ];
      mount(app, http, routes);
      mountEnrolScript(app, config.publicUrl);
      firmware.mount(app, http.limitFactor);
      mountEdgeBundle(app, options.edgeDir ?? null, signer);
      mountDownloads(app, http, downloads);
      mountUploads(app, fleet.uploads.path, fleet.uploads.of, http.limitFactor);
      mountLive(app, http, bus);
      mountApiPage(app, allEndpoints(), version, config.publicUrl);
      await mountPages(app, options.webDir);
      ready.add('console');
    }
    await app.listen({ host: config.host, port: config.httpPort });
    const httpPort = (app.server.address() as AddressInfo).port;
    if (config.roles.includes('worker')) {
      const expiry = createExpiry({ database, clock });
      const telemetry = createTelemetryJobs({ database, clock, log });
      const tasks = {
        ...{ ...jobs.tasks, ...fleet.tasks, ...configuration.tasks, ...expiry.tasks },
        ...{ ...messages.tasks, ...downloads.tasks, ...telemetry.tasks, ...users.tasks },
        ...{ ...backup.tasks, ...firmware.tasks },
        ...passwords.tasks,
        outbox: () => outbox.flush(),
        'outbox-prune': () => outbox.prune(),
        'statistics-close': createClosing({ database, clock, log }),
        'lost-links': watchLostLinks({ bus, links: createPresenceStore(database), handlers, log }),
      };
      const schedules = [
        ...passwords.schedules,
        ...[...jobs.schedules, ...fleet.schedules, ...expiry.schedules],
        ...[...messages.schedules, ...downloads.schedules, ...telemetry.schedules],
        ...[...backup.schedules, ...firmware.schedules],
        ...['outbox', 'lost-links'].map((task) => ({ task, cron: '* * * * *' })),
        { task: 'outbox-prune', cron: '29 * * * *' },
        { task: 'statistics-close', cron: '37 * * * *' },
      ];
      const workers = await startWorkers(database, tasks, schedules, log);
      stops.push(async () => {
        jobs.stop();
        configuration.stop();
        await workers.stop();
      });
      ready.add('worker');
    }
    const host = /^(0\.0\.0\.0|::)$/.test(config.host) ? 'localhost' : bracketed(config.host);
    return {
      httpUrl: `${config.tls ? 'https' : 'http'}://${host}:${httpPort}`,
      ...{ httpPort, devicePort: device.port, version, bus, ingest },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }

  /** Newest first: workers, console, device port; then what they stand on. */
  async function stop(): Promise<void> {
    for (const part of stops.splice(0).reverse()) await part();
    await outbox.stop();
    await bus.close();
    await database.close();
  }
}

function openBus(config: Config, log: Log): Promise<Bus> | Bus {
  const failed = (error: unknown, subject: string) => log.error({ err: error, subject }, 'bus handler failed');
  return config.busUrl ? connectNats({ url: config.busUrl, failed }) : createLocalBus(failed);
}

/**
 * Devices have so many of the system's connections at once. The others are left to people's calls and to jobs, which keep
 * two for themselves.
 */
const shareOfDevices = 0.5;

/** Opens the device port. */
async function openUplink(
  { config, database, log, clock, uplinkTimes }: ProgramOptions & { clock: Clock },
  parts: {
    bus: Bus;
    metrics: Metrics;
    accountKeys: AccountKeys;
    authority: Authority;
    handlers: UplinkHandlers;
    ingest: Ingest;
  },
): Promise<{ port: number; stop(): Promise<void> }> {
  const { bus, metrics, accountKeys, authority, handlers, ingest } = parts;
  const { healthcheck, drain } = createLatestWriter(database, metrics, log);
  const reports = { ...ingest, healthcheck };
  const uplink = await startUplink({
    ...{ bus, clock, log, metrics, authority, handlers, reports },
    host: config.host,
    port: config.devicePort,
    clientCas: await Promise.all(config.deviceClientCas.map((file) => readFile(file, 'utf8'))),
    admission: createAdmission(database),
    links: createPresenceStore(database),
    turns: Math.ceil(database.systemPool.options.max * shareOfDevices),
    passwords: createDevicePasswords(database, accountKeys),
    renewals: createRenewals({ database, clock, authority, handlers }),
    refusals: createRefusalLog(database, clock, log),
    ...(uplinkTimes ? { times: uplinkTimes } : {}),
  });
  return {
    port: uplink.port,
    async stop() {
      await uplink.stop();
      await drain();
    },
  };
}

/** An IPv6 address as an URL takes it (RFC 3986, section 3.2.2). */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Every endpoint of the contract. */
function allEndpoints(): AnyEndpoint[] {
  return Object.values(api).flatMap((group) =>
    Object.values(group).filter((member) => 'path' in member),
  ) as AnyEndpoint[];
}
