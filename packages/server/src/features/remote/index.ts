import { remote as contract, remoteCredential, remoteLinks, remoteReplay } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import { bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { HttpOptions } from '../../platform/http/http-options.ts';
import { listenError } from '../../platform/listen.ts';
import type { Log } from '../../platform/log.ts';
import { type Authority, createAdmission, type DeviceCommands, readClientCas } from '../../uplink/index.ts';
import type { UnbindParticipant } from '../fleet/index.ts';
import type { Messages } from '../messages/index.ts';
import { deleteCredential, readCredential, saveCredential } from './credentials/store.ts';
import { createSessionEnds } from './ends.ts';
import { acceptHostKey } from './host-keys.ts';
import { createLinks } from './links/index.ts';
import { knownLinks, listLinks, pruneLinks } from './links/store.ts';
import { createOpening } from './open.ts';
import { deleteRecording, pruneRecordings, replayRecording } from './recordings/store.ts';
import { type Relay, startRelay } from './relay/index.ts';
import { readSettings, saveSettings } from './settings.ts';
import { endForgotten, knownSessions, listSessions, pruneSessions } from './store.ts';
import { listTargets } from './targets.ts';
import { mountTerminals } from './terminal/socket.ts';
import { enterWeb, enterWebAsGuest } from './web/enter.ts';
import { mountWebFront } from './web/front.ts';
import { WebNames } from './web/names.ts';

export interface RemoteDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  config: Config;
  authority: Authority;
  devices: Pick<DeviceCommands, 'call'>;
  messages: Pick<Messages, 'post'>;
  authenticate: HttpOptions['authenticate'];
  keys: AccountKeys;
  sweep?: number | undefined;
}

/** Opens terminals on devices, and on peripheral devices through their gateways. */
export function createRemote(deps: RemoteDeps) {
  const { database, clock, config, keys, log } = deps;
  const ends = createSessionEnds(deps);
  const names = config.remoteHost === null ? null : new WebNames(config.remoteHost, config.publicUrl);
  const hasWeb = names !== null;
  let port = config.remotePort;
  let relay: Relay | null = null;
  const server = () => ({ host: config.deviceHost, port });
  const open = createOpening({ ...deps, ends, hasWeb, server });
  const links = createLinks({ ...deps, ends, open, hasWeb, publicUrl: config.publicUrl, server });
  const unbind: UnbindParticipant = {
    part: 'configuration',
    async remove(tx, { accountId, serials }) {
      await ends.end(tx, bySystem(accountId), { accountId, serials }, 'unbound');
      return 0;
    },
  };

  return {
    routes: (): Route[] => [
      ...implement(contract, {
        settings: ({ tx, acting }) => readSettings(tx, acting.accountId),
        saveSettings: ({ tx, acting, input }) => saveSettings(tx, acting, ends, input),
        targets: ({ tx, acting, input }) => listTargets(tx, acting.accountId, input, { clock, keys, hasWeb }),
        open: ({ acting, inTenant, input }) => open(acting, inTenant, input),
        list: ({ tx, acting, input }) => listSessions(tx, acting, input),
        async end({ tx, acting, input }) {
          await ends.end(tx, acting, { accountId: acting.accountId, ids: [input.id] }, 'by_person');
          return {};
        },
        enterWeb: ({ inTenant, acting, caller, identity, input }) =>
          enterWeb({ ...deps, relay: () => relay }, inTenant, { acting, caller, identity, id: input.id }),
        async acceptHostKey({ tx, acting, input }) {
          await acceptHostKey(tx, acting, input, clock.now());
          return {};
        },
      }),
      ...implement(remoteCredential, {
        detail: ({ tx, acting, input }) => readCredential(tx, keys, acting, input),
        async save({ tx, acting, input }) {
          await saveCredential(tx, keys, acting, input, clock.now());
          return {};
        },
        async remove({ tx, acting, input }) {
          await deleteCredential(tx, acting, input.peripheral_id);
          return {};
        },
      }),
      ...implement(remoteReplay, {
        replay: ({ tx, acting, input }) => replayRecording(tx, keys, acting, input.id),
        async remove({ tx, acting, input }) {
          await deleteRecording(tx, acting, input.id);
          return {};
        },
      }),
      ...implement(remoteLinks, {
        create: ({ tx, acting, input }) => links.create(tx, acting, input),
        list: ({ tx, acting, input }) => listLinks(tx, acting.accountId, input, clock.now()),
        async revoke({ tx, acting, input }) {
          await links.revoke(tx, acting, input);
          return {};
        },
        look: ({ input, caller }) => links.look(input.secret, caller),
        openLink: ({ input, caller }) => links.open(input, caller),
        enterLink: ({ input }) => enterWebAsGuest({ ...deps, relay: () => relay }, input),
      }),
    ],

    mount(app: FastifyInstance, http: HttpOptions): void {
      const find: Relay['findWeb'] = (name) => relay?.findWeb(name);
      const web = names && mountWebFront(app, names, find, deps);
      mountTerminals(app, http, { ...deps, relay: () => relay, web });
    },

    /** Listens for devices. @returns the end; null if a default port is taken */
    async listen(): Promise<{ port: number; stop(): Promise<void> } | null> {
      const at = { host: config.host, port: config.remotePort };
      try {
        relay = await startRelay({
          ...deps,
          ...at,
          ends,
          admission: createAdmission(database),
          clientCas: await readClientCas(config.deviceClientCas),
          address: config.remoteAddress,
          names,
          trustedProxies: config.trustedProxies,
        });
      } catch (error) {
        const reason = listenError('YUNXUN_REMOTE_PORT', at, error as Error);
        // a taken default port must not stop the gateway
        if (config.remotePortIsChosen || reason === error) throw reason;
        log.warn({ port: at.port, reason: reason.message }, 'no remote access: its port was not opened');
        return null;
      }
      const { stop } = relay;
      port = relay.port;
      return { port, stop };
    },

    unbind,
    allows: async (tx: Tx, accountId: string) => (await readSettings(tx, accountId)).enabled,
    objects: { remote_session: knownSessions, remote_link: knownLinks },
    tasks: {
      'remote-sweep': () => endForgotten(database, ends, clock.now()),
      'remote-prune': async () => {
        await pruneSessions(database, clock.now());
        await pruneRecordings(database, clock.now());
        await database.withSystem((tx) => pruneLinks(tx, clock.now()));
      },
    },
    schedules: [
      { task: 'remote-sweep', cron: '* * * * *', exclusive: true as const },
      { task: 'remote-prune', cron: '51 * * * *' },
    ],
  };
}
