import type { UnbindPart } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import type { DeviceCommands, DeviceRef, UplinkHandlers } from '../../uplink/index.ts';
import type { Jobs } from '../jobs/service.ts';
import { createBlocking } from './blocking.ts';
import { createDeviceConfig } from './device-config.ts';
import { createGateway } from './gateway.ts';
import { createOverrides } from './overrides.ts';
import { createPlanner, type PlannerDeps } from './planner.ts';
import { createPreviews, type PreviewDeps } from './previews.ts';
import { createPush } from './push.ts';
import { createReports } from './reports.ts';
import { createRollout } from './rollout.ts';
import { removeConfiguration } from './version-store.ts';
import { createWireless } from './wireless.ts';

export interface ConfigurationDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  keys: AccountKeys;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake'>;
  commands: Pick<DeviceCommands, 'configure' | 'call'>;
  latestState: PreviewDeps['latestState'];
  blockedTerminals: PlannerDeps['blockedTerminals'];
  log: Log;
}

export type Configuration = ReturnType<typeof createConfiguration>;

/** Configuration of networks and devices: intent, documents, versions, and the push. */
export function createConfiguration(deps: ConfigurationDeps) {
  const { bus, clock, keys, jobs, log } = deps;
  const planner = createPlanner(deps);
  const rollout = createRollout({ planner, jobs, clock });
  const { changed, connected, disconnected, message, reported } = createReports({ ...deps, planner, rollout });
  const push = createPush({ ...deps, planner });
  const previews = createPreviews(deps);
  return {
    wireless: createWireless({ ...deps, planner, rollout, previews }),
    gateway: createGateway({ ...deps, planner, rollout, previews }),
    overrides: createOverrides({ keys, clock, rollout }),
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

    /**
     * Follows what the fleet tells open pages: a device that was renamed or moved should run another document. One process
     * doing so is enough. @returns what stops it, and waits for what is under way
     */
    followFleet(): () => Promise<void> {
      const waiting = new Map<string, DeviceRef>();
      let running: Promise<void> | null = null;
      async function work(): Promise<void> {
        for (const [name, ref] of waiting) {
          waiting.delete(name);
          await changed(ref).catch((error: unknown) =>
            log.error({ err: error, serial: ref.serial }, 'configuration of a changed device not looked at'),
          );
        }
        running = null;
      }
      const release = bus.subscribe('live.*', (fact, subject) => {
        const { type, serial, sync } = asRecord<{ type: string; serial: string; sync: string }>(fact);
        if (type !== 'device.changed' || typeof serial !== 'string' || sync !== undefined) return;
        waiting.set(`${subject} ${serial}`, { accountId: subject.slice('live.'.length), serial });
        running ??= work();
      });
      return async () => {
        release();
        waiting.clear();
        await running;
      };
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
