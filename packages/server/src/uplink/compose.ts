import { readFileSync } from 'node:fs';
import type { Bus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { AccountKeys } from '../platform/crypto/account-keys.ts';
import type { Sealer } from '../platform/crypto/index.ts';
import type { Database, Tx } from '../platform/database/index.ts';
import type { Route } from '../platform/http/call.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createLatestWriter } from '../telemetry/latest.ts';
import { createPresenceStore } from '../telemetry/presence.ts';
import { createAdmission } from './admission.ts';
import { type Authority, loadAuthority } from './authority.ts';
import type { PortTimes } from './device-port.ts';
import { createDevicePasswords } from './passwords.ts';
import type { UplinkHandlers } from './ports.ts';
import { createRefusalLog } from './refusals.ts';
import { uplinkRoutes } from './routes.ts';
import { startUplink, type Uplink } from './uplink.ts';

/** What the composition root gives. */
export interface UplinkParts {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Under the master key. */
  sealer: Sealer;
  accountKeys: AccountKeys;
  handlers: UplinkHandlers;
  resolveBindingCode(tx: Tx, code: string): Promise<string | undefined>;
  config: {
    /** Address the device port listens on. */
    host: string;
    /** 0 takes a free one. */
    devicePort: number;
    /** Name in the device port's certificate, and what enrolled devices are told to dial. */
    deviceHost: string;
    /** Files with certificates of further authorities. */
    deviceClientCas: readonly string[];
  };
  times?: Partial<PortTimes>;
}

/** The uplink on the real database, ready to be mounted (console) and started (gateway). */
export interface ComposedUplink {
  authority: Authority;
  /** The enrolment endpoint. `port` is what devices are told: the listening one, or the configured. */
  routes(port: number): Route[];
  /** Opens the device port. @throws an error with a sentence when a CA file cannot be read */
  start(): Promise<Uplink>;
}

/** Puts the uplink together from the program's parts; loads the authority, or makes it on the first start. */
export async function composeUplink(parts: UplinkParts): Promise<ComposedUplink> {
  const { config, database, bus, clock, log, metrics, handlers } = parts;
  const authority = await loadAuthority(database, parts.sealer, config.deviceHost, clock);
  return {
    authority,
    routes: (port) =>
      uplinkRoutes({
        database,
        bus,
        clock,
        authority,
        handlers,
        resolveBindingCode: parts.resolveBindingCode,
        server: { host: config.deviceHost, port },
      }),
    async start() {
      const reports = createLatestWriter(database, metrics, log);
      const uplink = await startUplink({
        host: config.host,
        port: config.devicePort,
        authority,
        clientCas: config.deviceClientCas.map(readCas),
        bus,
        clock,
        log,
        metrics,
        handlers,
        reports,
        links: createPresenceStore(database),
        admission: createAdmission(database),
        passwords: createDevicePasswords(database, parts.accountKeys),
        refusals: createRefusalLog(database, clock, log),
        ...(parts.times && { times: parts.times }),
      });
      return {
        ...uplink,
        async stop() {
          await uplink.stop();
          await reports.drain();
        },
      };
    },
  };
}

function readCas(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`YUNXUN_DEVICE_CLIENT_CAS names ${file}, which cannot be read: ${(error as Error).message}.`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`YUNXUN_DEVICE_CLIENT_CAS: ${file} holds no PEM certificate.`);
  return text;
}
