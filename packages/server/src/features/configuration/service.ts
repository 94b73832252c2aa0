import type { UnbindPart } from '@yunxun/contract';
import { bySystem } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { DeviceCommands, DeviceRef, UplinkHandlers } from '../../uplink/index.ts';
import type { Jobs } from '../jobs/service.ts';
import { createDeviceConfig } from './device-config.ts';
import { findDevice } from './device-store.ts';
import { createOverrides } from './overrides.ts';
import { createPlanner } from './planner.ts';
import { createPush } from './push.ts';
import { createReports } from './reports.ts';
import { createRollout } from './rollout.ts';
import { readState, removeConfiguration } from './version-store.ts';
import { createWireless, type WirelessDeps } from './wireless.ts';

export interface ConfigurationDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  keys: AccountKeys;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake'>;
  commands: Pick<DeviceCommands, 'configure' | 'call'>;
  latestState: WirelessDeps['latestState'];
}

export type Configuration = ReturnType<typeof createConfiguration>;

/** Configuration of networks and devices: intent, documents, versions, and the push. */
export function createConfiguration(deps: ConfigurationDeps) {
  const { database, clock, keys, jobs } = deps;
  const planner = createPlanner(deps);
  const rollout = createRollout({ planner, jobs });
  const { connected, disconnected, message } = createReports({ database, clock, keys, planner, rollout, jobs });
  const push = createPush({ ...deps, planner });
  return {
    wireless: createWireless({ ...deps, planner, rollout }),
    overrides: createOverrides({ keys, clock, rollout }),
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
      async message(device, method, params, at) {
        await fleet.message(device, method, params, at);
        await message(device, method, params);
      },
    }),

    /** A device was renamed or moved: what it should run may be another document now. Does nothing for one that nobody configured. */
    async deviceChanged(tx: Tx, { accountId, serial }: DeviceRef, author: string): Promise<void> {
      const device = await findDevice(tx, accountId, serial, clock.now());
      if (!device || !(await readState(tx, device)).known) return;
      await rollout.startIfNeeded(tx, bySystem(accountId), device, { cause: 'device_changed', author });
    },

    /** Takes part when devices or a network are unbound. */
    unbind: {
      part: 'configuration' as UnbindPart,
      remove: (tx: Tx, gone: { accountId: string; gwid: string | null; serials: readonly string[] }) =>
        removeConfiguration(tx, gone.accountId, gone.serials, gone.gwid),
    },

    /** Background tasks of the push. */
    tasks: push.tasks,
    /** Lets go of what waits for devices, so that the workers can stop; it goes on with the next start. */
    stop: push.stop,
  };
}
