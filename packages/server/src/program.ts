import type { AddressInfo } from 'node:net';
import { createBase, type Preparing, type ProgramOptions } from './base.ts';
import { createFeatures } from './features.ts';
import type { Bus } from './platform/bus/index.ts';
import { type ProcessRole, workingRoles } from './platform/config.ts';
import { bracketed } from './platform/http/address.ts';
import { mountHealth } from './platform/http/health.ts';
import { createHttp } from './platform/http/server.ts';
import { nameSetting } from './platform/listen.ts';
import { httpOptionsOf, mountConsole } from './roles/console.ts';
import { startGateway, startIngest } from './roles/gateway.ts';
import { startWorker } from './roles/worker.ts';
import type { Ingest } from './telemetry/index.ts';
import { ensurePartitions } from './telemetry/partitions.ts';
import { version } from './version.ts';

export type { ProgramOptions } from './base.ts';

export interface Program {
  httpUrl: string;
  httpPort: number;
  devicePort: number;
  /** Guests' pages; 0 without that role. */
  portalPort: number;
  /** Of remote access; 0 without the gateway role, or if it is taken. */
  remotePort: number;
  radiusPorts: Readonly<Record<'auth' | 'acct', number | null>>;
  version: string;
  bus: Bus;
  ingest: Pick<Ingest, 'drain' | 'terminate'> | null;
  /** Shows a demo's progress; null hides it. */
  showPreparing(progress: Preparing): void;
  stop(): Promise<void>;
}

/** Starts the roles of this process, in the order in which they depend on each other. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { config, database } = options;
  const base = await createBase(options);
  const { bus, clock, device, metrics, storage } = base;
  const features = createFeatures(base);
  const has = (role: ProcessRole) => config.roles.includes(role);
  if (has('gateway') || has('worker')) await ensurePartitions(database, clock);

  let ingest: Ingest | null = null;
  let remotePort = 0;
  const stops: (() => Promise<void>)[] = [];
  const ready = new Set<ProcessRole>();
  const readiness: Record<string, () => Promise<void>> = {
    database: () => database.ping(),
    migrations: () => database.checkMigrations(),
    bus: () => bus.check(),
    disk: () => storage.check(),
  };
  for (const role of config.roles.filter((one) => workingRoles.has(one))) {
    readiness[role] = async () => {
      if (!ready.has(role)) throw new Error('not started');
    };
  }
  try {
    stops.push(features.radius.close);
    await features.radius.load();
    if (has('radius')) {
      await features.radius.open();
      ready.add('radius');
    }
    if (has('gateway')) {
      ingest = startIngest(base);
      base.totals.attach(ingest);
      stops.push(ingest.stop);
      const uplink = await startGateway(base, { handlers: features.handlers, ingest });
      stops.push(uplink.stop);
      device.port = uplink.port;
      const remote = await features.remote.listen();
      if (remote) stops.push(remote.stop);
      remotePort = remote?.port ?? 0;
      ready.add('gateway');
    }
    const http = httpOptionsOf(base, features);
    const app = await createHttp(http);
    stops.push(() => app.close());
    mountHealth(app, { readiness, metrics, metricsToken: config.metricsToken, limitFactor: http.limitFactor });
    if (has('console')) {
      await mountConsole(app, http, base, features);
      ready.add('console');
    }
    if (has('portal')) {
      stops.push(await features.portal.listen(http));
      ready.add('portal');
    }
    const at = { host: config.host, port: config.httpPort };
    await app.listen(at).catch(nameSetting('YUNXUN_HTTP_PORT', at));
    const httpPort = (app.server.address() as AddressInfo).port;
    if (has('worker')) {
      const worker = await startWorker(base, features);
      stops.push(worker.stop);
      ready.add('worker');
    }
    const host = /^(0\.0\.0\.0|::)$/.test(config.host) ? 'localhost' : bracketed(config.host);
    return {
      httpUrl: `${config.tls ? 'https' : 'http'}://${host}:${httpPort}`,
      httpPort,
      devicePort: device.port,
      portalPort: features.portal.port(),
      remotePort,
      radiusPorts: features.radius.ports,
      version,
      bus,
      ingest,
      showPreparing: base.setPreparing,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }

  /** Stops in reverse order: workers, console, device port, then their dependencies. */
  async function stop(): Promise<void> {
    for (const part of stops.splice(0).reverse()) await part();
    await base.stop();
  }
}
