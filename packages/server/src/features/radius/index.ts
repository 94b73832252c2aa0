import { radius as contract } from '@yunxun/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config, UdpPort } from '../../platform/config.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { listenError } from '../../platform/listen.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { UplinkHandlers } from '../../uplink/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { createActivity } from './activity.ts';
import { createDisconnect } from './disconnect.ts';
import type { GuestGate } from './guest-gate.ts';
import { createNasIndex } from './nas-index.ts';
import { createNasService, knownNas, type ManagedNas, type NasServiceDeps } from './nas-service.ts';
import { createRejectLimit } from './reject-limit.ts';
import { createResponder, type RadiusPort } from './responder.ts';
import { pruneSessions } from './session-store.ts';
import { startUdpServer, type UdpServer } from './udp-server.ts';

export type { GuestAccounting, GuestGate } from './guest-gate.ts';
export type { ManagedNas } from './nas-service.ts';
export { nasStates, type SpeakingDevice, speakingDevices } from './nas-states.ts';

export const createManagedNas = (deps: NasServiceDeps): ManagedNas => createNasService(deps).managed;

export interface RadiusDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  keys: AccountKeys;
  metrics: Metrics;
  config: Pick<Config, 'host' | 'deviceHost' | 'radiusAuthPort' | 'radiusAcctPort'>;
  gate: GuestGate;
}

export function createRadius(deps: RadiusDeps) {
  const { database, clock, config, log } = deps;
  const index = createNasIndex(deps);
  const activity = createActivity(deps);
  const respond = createResponder({ ...deps, index, activity, rejects: createRejectLimit(clock) });
  const nases = createNasService(deps);
  const ports: Record<RadiusPort, number | null> = {
    auth: config.radiusAuthPort?.port ?? null,
    acct: config.radiusAcctPort?.port ?? null,
  };
  const servers: UdpServer[] = [];

  /** Warns of a taken default port: the console works without RADIUS. @throws ConfigError */
  async function listen(kind: RadiusPort, setting: RadiusSetting, wanted: UdpPort | null): Promise<void> {
    if (!wanted) return;
    const at = { host: config.host, port: wanted.port };
    const failed = (error: Error) => {
      const reason = listenError(setting, at, error);
      if (wanted.isChosen) throw reason;
      log.warn({ port: wanted.port, reason: reason.message }, 'RADIUS port not opened');
      return null;
    };
    const server = await startUdpServer(at, kind, respond).catch(failed);
    ports[kind] = server?.port ?? null;
    if (server) servers.push(server);
  }

  return {
    disconnect: createDisconnect({ ...deps, index }),
    /** Null: off or taken. */
    ports,
    /** Loads clients, needed to answer or disconnect. */
    load: () => index.start(),
    /** @throws ConfigError for a chosen port that cannot be opened */
    async open(): Promise<void> {
      await listen('auth', 'YUNXUN_RADIUS_AUTH_PORT', config.radiusAuthPort);
      await listen('acct', 'YUNXUN_RADIUS_ACCT_PORT', config.radiusAcctPort);
    },
    async close(): Promise<void> {
      for (const server of servers) server.stop();
      index.stop();
      await activity.stop();
    },
    /** Answers packets over the device's connection (radius-gw-proxy). */
    joinHandlers: (handlers: UplinkHandlers): UplinkHandlers => ({
      ...handlers,
      async radius({ accountId, serial }, port, data) {
        const devices = await database.withSystem((tx) => fleetDevices.names(tx, accountId, [serial]));
        const gwid = devices.get(serial)?.gwid;
        return gwid ? respond(port, data, { kind: 'device', accountId, serial, gwid }) : null;
      },
    }),
    routes: (): Route[] =>
      implement(contract, {
        serverInfo: async () => ({ host: config.deviceHost, auth_port: ports.auth, acct_port: ports.acct }),
        nasList: ({ tx, acting, input }) => nases.list(tx, acting.accountId, input),
        nasCreate: ({ tx, acting, input }) => nases.create(tx, acting, input),
        async nasUpdate({ tx, acting, input }) {
          await nases.update(tx, acting, input);
          return {};
        },
        nasRotate: ({ tx, acting, input }) => nases.rotate(tx, acting, input.id),
        async nasDelete({ tx, acting, input }) {
          await nases.remove(tx, acting, input.id);
          return {};
        },
      }),
    objects: { radius_nas: knownNas },
    tasks: { 'radius-prune': () => database.withSystem((tx) => pruneSessions(tx, clock.now())) },
    schedules: [{ task: 'radius-prune', cron: '53 * * * *' }],
  };
}

type RadiusSetting = 'YUNXUN_RADIUS_AUTH_PORT' | 'YUNXUN_RADIUS_ACCT_PORT';
