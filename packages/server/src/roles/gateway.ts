import { join } from 'node:path';
import type { Base } from '../base.ts';
import { nameSetting } from '../platform/listen.ts';
import { createIngest, createLatestWriter, createPresenceStore, type Ingest } from '../telemetry/index.ts';
import {
  createAdmission,
  createCertificateSharing,
  createDevicePasswords,
  createRefusalLog,
  createRenewals,
  readClientCas,
  startUplink,
  type UplinkHandlers,
} from '../uplink/index.ts';

/** Share of the system pool for devices; the rest serves calls and jobs. */
const shareOfDevices = 0.5;

export function startIngest({ options, database, metrics, log, storage, bus }: Base): Ingest {
  const worker = options.ingestWorker ?? join(import.meta.dirname, 'telemetry/ingest/worker.js');
  return createIngest({ database, worker, metrics, log, storage, bus });
}

export async function startGateway(
  { options, config, database, log, clock, bus, metrics, keys, authority }: Base,
  { handlers, ingest }: { handlers: UplinkHandlers; ingest: Ingest },
): Promise<{ port: number; stop(): Promise<void> }> {
  const { healthcheck, drain } = createLatestWriter(database, metrics, log);
  const at = { host: config.host, port: config.devicePort };
  const uplink = await startUplink({
    ...at,
    bus,
    clock,
    log,
    metrics,
    authority,
    handlers,
    reports: { ...ingest, healthcheck },
    clientCas: await readClientCas(config.deviceClientCas),
    admission: createAdmission(database),
    links: createPresenceStore(database),
    turns: Math.ceil(database.systemPool.options.max * shareOfDevices),
    passwords: createDevicePasswords(database, keys),
    renewals: createRenewals({ database, clock, authority, handlers }),
    refusals: createRefusalLog(database, clock, log),
    sharing: createCertificateSharing({ database, bus, clock, log, handlers }),
    ...(options.uplinkTimes ? { times: options.uplinkTimes } : {}),
  }).catch(nameSetting('YUNXUN_DEVICE_PORT', at));
  return {
    port: uplink.port,
    async stop() {
      await uplink.stop();
      await drain();
    },
  };
}
