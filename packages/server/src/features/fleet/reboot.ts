import { asRecord } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { createLooks } from '../jobs/looks.ts';
import type { JobRunner, Jobs, Outcome } from '../jobs/service.ts';
import { record } from '../logs/audit.ts';
import type { FleetCommands } from './commands.ts';
import { type DeviceRecord, devicesBySerial, devicesOf, networksById } from './device-store.ts';
import { closedUntil } from './maintenance.ts';
import type { DeviceRef, PresenceKeeper } from './presence.ts';
import { restartLimitMs } from './status.ts';

const lookTask = 'fleet-restart-look';

export interface RebootDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'wake' | 'register'>;
  commands: FleetCommands;
  presence: PresenceKeeper;
}

/** What an item remembers between its runs. */
interface Progress {
  /** When the device took the command. */
  commanded_at: string;
}

/** Restarts as jobs: an item has succeeded when its device is back, not when it said that it would go. */
export function createReboots({ database, clock, jobs, commands, presence }: RebootDeps) {
  const run: JobRunner = async (item, job) => {
    const ref = { accountId: item.account_id, serial: item.serial ?? '' };
    const [device] = await database.withSystem((tx) => devicesBySerial(tx, ref.accountId, [ref.serial]));
    if (!device) return { status: 'cancelled', reason: 'job.unbound' };
    const { commanded_at: before } = asRecord<Progress>(item.detail);
    if (typeof before === 'string') return followUp(device, new Date(before));
    // a process that died after the command, before it could write that it gave it
    const mark = device.restarting_since;
    if (mark && item.started_at && mark >= item.started_at) return followUp(device, mark);
    const { gwid } = device;
    if (job.plan?.windows && gwid) {
      const closed = await database.withSystem((tx) => closedUntil(tx, ref.accountId, [gwid], clock.now()));
      const notBefore = closed.get(gwid);
      if (notBefore) return { status: 'queued', reason: 'job.window', notBefore };
    }
    const command = await commands.reboot(ref);
    switch (command.outcome) {
      case 'offline': {
        const { queue } = asRecord<{ queue: boolean }>(job.params);
        return queue === true
          ? { status: 'waiting_offline', reason: 'job.offline' }
          : { status: 'skipped', reason: 'job.skipped_offline' };
      }
      case 'silent':
        return { status: 'failed', reason: 'job.silent' };
      case 'refused':
        return { status: 'failed', reason: command.text || 'job.refused' };
      case 'gone':
      case 'done': {
        const at = clock.now();
        await database.withSystem(async (tx) => {
          await presence.restarting(tx, ref, at);
          await looks.later(tx, ref, at);
        });
        return waiting(at);
      }
    }
  };
  jobs.register('reboot', run);

  function followUp(device: DeviceRecord, commanded: Date): Outcome {
    const back = device.online && device.restarting_since === null;
    if (back && device.online_since && device.online_since >= commanded) return { status: 'succeeded' };
    if (clock.now().getTime() - commanded.getTime() < restartLimitMs) return waiting(commanded);
    return { status: 'failed', reason: device.online ? 'job.not_restarted' : 'job.not_returned' };
  }

  const looks = createLooks<DeviceRef>({ database, clock, jobs }, lookTask, async (tx, { accountId, serial }, at) => {
    const [device] = await devicesBySerial(tx, accountId, [serial]);
    return device !== undefined && followUp(device, at).status === 'waiting_offline';
  });

  async function create(
    tx: Tx,
    acting: Acting,
    devices: readonly DeviceRecord[],
    queue: boolean,
    object: { type: string; id: string; name: string; gwid: string | null } | null,
  ): Promise<{ job_id: string }> {
    if (devices.length === 0)
      throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'nobody' } });
    const reachable = devices.some((device) => device.online);
    if (!reachable && !queue) {
      throw new Failure('deviceOffline', { data: { queue_allowed: true }, params: { action: 'command' } });
    }
    const items = devices.map(({ serial, gwid, remark }) => ({ serial, gwid, name: remark }));
    const jobId = await jobs.create(tx, acting, { type: 'reboot', params: { queue }, items });
    await record(tx, acting, {
      action: 'device.reboot',
      object: object ?? { type: 'job', id: jobId, name: 'reboot' },
      gwid: object?.gwid ?? null,
      after: { serials: devices.map((device) => device.serial) },
      command: true,
      jobId,
    });
    return { job_id: jobId };
  }

  return {
    /** Restarts devices. @throws Failure deviceOffline when every one is offline and none is to wait */
    async devices(tx: Tx, acting: Acting, serials: readonly string[], queue: boolean): Promise<{ job_id: string }> {
      const devices = await devicesBySerial(tx, acting.accountId, serials);
      const [only] = devices;
      const object =
        devices.length === 1 && only ? { type: 'device', id: only.serial, name: only.remark, gwid: only.gwid } : null;
      return create(tx, acting, devices, queue, object);
    },

    /** Restarts the gateway of each network, or every device of a network that has none. */
    async networks(tx: Tx, acting: Acting, gwids: readonly string[], queue: boolean): Promise<{ job_id: string }> {
      const networks = await networksById(tx, acting.accountId, gwids);
      const gateways = new Map(networks.map((network) => [network.gwid, network.gateway_serial]));
      const devices = (await devicesOf(tx, acting.accountId, gwids)).filter((device) => {
        const gateway = gateways.get(device.gwid ?? '') ?? null;
        return gateway === null || gateway === device.serial;
      });
      const [only] = networks;
      const object =
        networks.length === 1 && only ? { type: 'network', id: only.gwid, name: only.remark, gwid: only.gwid } : null;
      return create(tx, acting, devices, queue, object);
    },

    tasks: { [lookTask]: looks.look },
  };
}

function waiting(commanded: Date): Outcome {
  const detail: Progress = { commanded_at: commanded.toISOString() };
  return { status: 'waiting_offline', reason: 'job.restarting', detail };
}
