import type { UnbindPart } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { DeviceCommands, UplinkHandlers } from '../../uplink/index.ts';
import { type ChangedDevices, devicesChanged } from '../fleet/live.ts';
import { devicesOfNetworks } from '../fleet/managed-devices.ts';
import type { Jobs } from '../jobs/service.ts';
import { createBlocking } from './blocking.ts';
import { ChangeRegistry } from './changes.ts';
import { noOverride } from './compile/index.ts';
import { createDeviceConfig } from './device-config.ts';
import { createGateway } from './gateway.ts';
import { createEffective } from './layers/effective.ts';
import { createGroupSettings } from './layers/group.ts';
import type { ImpactDeps } from './layers/impact.ts';
import { createInForce } from './layers/in-force.ts';
import { layered } from './layers/layered.ts';
import { readLayersOf } from './layers/reader.ts';
import { createLayers } from './layers/service.ts';
import { deleteLayer } from './layers/store.ts';
import { forgetStanding } from './layers/use-store.ts';
import { createNewcomers, followNewcomers } from './newcomers.ts';
import { createOverrides } from './overrides.ts';
import { createPlanner, type PlannerDeps, type Wish } from './planner.ts';
import { createPreviews, type PreviewDeps } from './previews.ts';
import { createPush } from './push.ts';
import { createReports } from './reports.ts';
import { createRollout } from './rollout.ts';
import { createSettings } from './settings.ts';
import { removeConfiguration } from './version-store.ts';
import { createWireless, type WirelessDeps } from './wireless.ts';

export interface ConfigurationDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  keys: AccountKeys;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake' | 'wakeAll' | 'cancel'>;
  commands: Pick<DeviceCommands, 'configure' | 'call'>;
  latestState: PreviewDeps['latestState'];
  latestStates: ImpactDeps['latestStates'];
  blockedTerminals: PlannerDeps['blockedTerminals'];
  passwords: PlannerDeps['passwords'];
  passwordRulesAt: WirelessDeps['passwordRulesAt'];
}

export type Configuration = ReturnType<typeof createConfiguration>;

/** Configuration of networks and devices: intent, documents, versions, and the push. */
export function createConfiguration(deps: ConfigurationDeps) {
  const { clock, keys, jobs } = deps;
  const planner = createPlanner(deps);
  const rollout = createRollout({ planner, jobs, clock });
  const { changed, connected, disconnected, message, reported } = createReports({ ...deps, planner, rollout });
  const push = createPush({ ...deps, planner });
  const previews = createPreviews(deps);
  const changes = new ChangeRegistry();

  /** Looks at devices; the trouble of one is not that of the others. */
  async function lookAt(serials: readonly string[], accountId: string): Promise<void> {
    const failures: unknown[] = [];
    for (const serial of serials)
      await changed({ accountId, serial }).catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  return {
    wireless: createWireless({ ...deps, planner, rollout, previews, changes }),
    gateway: createGateway({ ...deps, planner, rollout, previews, changes }),
    overrides: createOverrides({ clock, planner, rollout, changes }),
    /** Templates, and what stands where. */
    layers: createLayers({ ...deps, planner, rollout }),
    /** Settings of groups of access points. */
    groups: createGroupSettings({ ...deps, planner, rollout, previews, changes }),
    /** What is in force on a device, and where each value comes from. */
    effective: createEffective({ planner, clock }),
    /** The little of it that lists show. */
    inForceOf: createInForce({ keys }),
    /** All that is meant of a network, for backups. */
    settings: createSettings({ ...deps, planner, rollout, previews, changes }),
    /** Features join here that look at settings before they are changed. */
    changes,
    blocking: createBlocking({ clock, rollout }),
    devices: createDeviceConfig({ keys, clock, planner, rollout }),

    /** The uplink's handlers with configuration's part, which comes after that of the fleet. */
    joinHandlers: (fleet: UplinkHandlers): UplinkHandlers => ({
      ...fleet,
      async connected(device, connect, link) {
        await fleet.connected(device, connect, link);
        await connected(device, connect);
      },
      async disconnected(device, info) {
        disconnected(device);
        await fleet.disconnected(device, info);
      },
      async reported(device, report, at) {
        await fleet.reported(device, report, at);
        await reported(device, report);
      },
      async message(device, method, params, at) {
        await fleet.message(device, method, params, at);
        await message(device, method, params);
      },
    }),

    /** A job whose items bring to the devices of networks what they should run when they come to it. @returns its id; null when nobody is there */
    async pushLater(tx: Tx, acting: Acting, gwids: readonly string[], wish: Wish): Promise<string | null> {
      const { accountId } = acting;
      const devices = await devicesOfNetworks(tx, accountId, gwids, clock.now());
      const jobId = await rollout.later(tx, acting, devices, wish);
      await followNewcomers(tx, { accountId, place: { gwids }, jobId });
      return jobId;
    },

    /** Names of the SSIDs with a key that each of the networks sends out, as far as no group or device says otherwise. */
    async ssidsOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<Map<string, string[]>> {
      const places = gwids.map((gwid) => ({ serial: '', gwid, groupId: null }));
      const layersOf = await readLayersOf(tx, keys, accountId, places);
      return new Map(
        places.map((place) => {
          const { ssids } = layered(layersOf(place), noOverride).network;
          return [place.gwid, ssids.filter(({ key }) => key !== null).map(({ name }) => name)];
        }),
      );
    },

    /** Takes away what stands for a group that is deleted. */
    forgetGroup: async (tx: Tx, accountId: string, groupId: string): Promise<void> => {
      await forgetStanding(tx, accountId, groupId);
      await deleteLayer(tx, accountId, groupId);
    },

    /** Takes part when devices or a network are unbound. */
    unbind: {
      part: 'configuration' as UnbindPart,
      remove: (tx: Tx, gone: { accountId: string; gwid: string | null; serials: readonly string[] }) =>
        removeConfiguration(tx, gone.accountId, gone.serials, gone.gwid),
    },

    tasks: {
      ...push.tasks,
      ...createNewcomers(deps, lookAt),
      /** A device that was renamed or moved should run another document. */
      [devicesChanged]: ({ accountId, serials }: ChangedDevices) => lookAt(serials, accountId),
    },
    /** Lets go of what waits for devices, so that the workers can stop; it goes on with the next start. */
    stop: push.stop,
  };
}
