import type { LoggedKind } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Jobs } from '../../jobs/index.ts';
import { record } from '../../logs/index.ts';
import { type DeviceRecord, devicesBySerial, devicesOf, networksById } from '../device-store.ts';
import { onlineItems } from '../online-devices.ts';
import type { PresenceTracker } from '../presence.ts';
import { restartLimitMs } from '../status.ts';
import { createCommandJobs, heldByWindow } from './command-jobs.ts';
import type { FleetCommands } from './commands.ts';
import { isTarget, type RestartTarget } from './restart-scopes.ts';

export interface RebootDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'wake' | 'register' | 'remember'>;
  commands: FleetCommands;
  presence: PresenceTracker;
}

interface When {
  /** Offline devices restart on their return. */
  queue?: boolean | undefined;
  /** Missing: at once. */
  startAt?: Date | undefined;
}

/** An item succeeds once its device has returned. */
export function createReboots(deps: RebootDeps) {
  const { jobs, commands } = deps;
  const { run, tasks } = createCommandJobs(deps, {
    recheckTask: 'fleet-restart-look',
    about: 'job.restarting',
    limitMs: restartLimitMs,
    undone: 'job.not_restarted',
    async prepare(ref, device, job) {
      return (await heldByWindow(deps, ref, device, job)) ?? (() => commands.reboot(ref));
    },
    offline({ params }) {
      return asRecord<{ queue: boolean }>(params).queue === true
        ? { status: 'waiting_offline', reason: 'job.offline' }
        : { status: 'skipped', reason: 'job.skipped_offline' };
    },
    verdict: (_device, { restarted }) => (restarted ? { status: 'succeeded' } : null),
  });
  jobs.register('reboot', run, { onlineItems: onlineItems(deps.database) });

  async function create(
    tx: Tx,
    acting: Acting,
    devices: readonly DeviceRecord[],
    { queue = false, startAt }: When,
    object: { type: LoggedKind; id: string; name: string; gwid: string | null } | null,
  ): Promise<{ job_id: string }> {
    if (devices.length === 0)
      throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'no_device' } });
    const reachable = devices.some((device) => device.online);
    if (!reachable && !queue && !startAt) {
      throw new Failure('deviceOffline', { data: { queue_allowed: true }, params: { action: 'command' } });
    }
    const items = devices.map(({ serial, gwid, remark }) => ({ serial, gwid, name: remark }));
    const jobId = await jobs.create(tx, acting, { type: 'reboot', params: { queue }, items, startAt });
    await record(tx, acting, {
      action: 'device.reboot',
      object: object ?? { type: 'job' as const, id: jobId, name: 'reboot' },
      gwid: object?.gwid ?? null,
      after: { serials: devices.map((device) => device.serial), start_at: startAt?.toISOString() ?? null },
      command: true,
      jobId,
    });
    return { job_id: jobId };
  }

  return {
    /** @throws Failure deviceOffline if all are, without `queue` and `startAt` */
    async devices(tx: Tx, acting: Acting, serials: readonly string[], when: When): Promise<{ job_id: string }> {
      const devices = await devicesBySerial(tx, acting.accountId, serials);
      const [only] = devices;
      const object =
        devices.length === 1 && only
          ? { type: 'device' as const, id: only.serial, name: only.remark, gwid: only.gwid }
          : null;
      return create(tx, acting, devices, when, object);
    },

    /** Restarts the target's devices of each network. */
    async networks(
      tx: Tx,
      acting: Acting,
      gwids: readonly string[],
      when: When,
      target: RestartTarget = { scope: 'gateway', target: '' },
    ): Promise<{ job_id: string }> {
      const networks = await networksById(tx, acting.accountId, gwids);
      const gateways = new Map(networks.map((network) => [network.gwid, network.gateway_serial]));
      const devices = (await devicesOf(tx, acting.accountId, gwids)).filter((device) =>
        isTarget(device, target, gateways.get(device.gwid ?? '') ?? null),
      );
      const [only] = networks;
      const object =
        networks.length === 1 && only
          ? { type: 'network' as const, id: only.gwid, name: only.remark, gwid: only.gwid }
          : null;
      return create(tx, acting, devices, when, object);
    },

    tasks,
  };
}
