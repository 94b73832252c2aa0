import type { DataOf, firmware, InputOf } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import type { Backup } from '../backup/index.ts';
import { versionOf } from '../fleet/agent-upgrade.ts';
import type { FleetCommands } from '../fleet/commands.ts';
import { type FirmwareFacts, firmwareOf, firmwareOfModels } from '../fleet/firmware-facts.ts';
import { closedUntil } from '../fleet/maintenance.ts';
import { whoIsThere } from '../fleet/there.ts';
import { createLooks } from '../jobs/looks.ts';
import {
  dealt,
  type HealthCheck,
  type JobRunner,
  type Jobs,
  type NewItem,
  type Outcome,
  type Sizes,
} from '../jobs/service.ts';
import { record } from '../logs/audit.ts';
import { firmwareJob, type Images, isFor, runs } from './images.ts';
import type { UpgradeLog } from './log.ts';
import { addressOf } from './serve.ts';
import { findImage, type Image } from './store.ts';

export interface UpgradeDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'wake' | 'register'>;
  commands: Pick<FleetCommands, 'upgrade'>;
  /** Notes that a device goes down by our own word. */
  restarting(tx: Tx, ref: DeviceRef, at: Date): Promise<void>;
  backup: Pick<Backup, 'beforeUpgrade'>;
  images: Images;
  log: UpgradeLog;
  publicUrl: string;
}

/** What a job is given. */
interface Params {
  image_id: string;
  version: string;
  backup: boolean;
}

/** What an item remembers between its runs. */
interface Progress {
  /** When the device took the command. */
  commanded_at: string;
}

type Start = InputOf<typeof firmware.upgradeStart>;
type Preview = DataOf<typeof firmware.upgradePreview>;

const lookTask = 'firmware-look';
/** Flash is slow and a first boot generates keys; after that it has had its time. */
const limitMs = 20 * 60_000;
/** Devices that fetch an image at a time. */
const atOnce = 32;

/**
 * Upgrades to an image of the catalogue, as jobs in waves: an item has succeeded when its device says the version itself.
 * Whoever is offline waits and holds up nobody.
 */
export function createUpgrades(deps: UpgradeDeps) {
  const { database, clock, jobs, commands, backup, images, log } = deps;

  const run: JobRunner = async (item, job) => {
    const ref = { accountId: item.account_id, serial: item.serial ?? '' };
    const params = asRecord<Params>(job.params);
    const { device, image } = await database.withSystem(async (tx) => ({
      device: (await firmwareOf(tx, ref.accountId, [ref.serial]))[0],
      image: await findImage(tx, ref.accountId, String(params.image_id)),
    }));
    if (!device) return { status: 'cancelled', reason: 'job.unbound' };
    const version = String(params.version);
    const { commanded_at: before } = asRecord<Progress>(item.detail);
    if (typeof before === 'string') return followUp(device, version, new Date(before));
    // a process that died after the command, before it could write that it gave it
    const mark = device.restartingSince;
    if (mark && item.started_at && mark >= item.started_at) return followUp(device, version, mark);
    if (!image) return { status: 'failed', reason: 'job.image_gone' };
    const why = leftOut(device, image);
    if (why !== null) return { status: 'skipped', reason: `job.firmware_${why}` };
    if (!device.online) return { status: 'waiting_offline', reason: 'job.offline' };
    const closed = job.plan?.windows && device.gwid ? await closedNow(ref.accountId, device.gwid) : undefined;
    if (closed) return { status: 'queued', reason: 'job.window', notBefore: closed };
    if (params.backup === true && device.gwid) {
      const { gwid } = device;
      await database.withSystem((tx) => backup.beforeUpgrade(tx, bySystem(ref.accountId), gwid, job.created_at));
    }
    const command = await commands.upgrade(ref, addressOf(image, deps.publicUrl), image.signature);
    switch (command.outcome) {
      case 'offline':
        return { status: 'waiting_offline', reason: 'job.offline' };
      case 'silent':
        return notTaken(device, job, version, 'job.silent');
      case 'refused':
        return notTaken(device, job, version, command.text || 'job.refused');
      case 'gone':
      case 'done': {
        const at = clock.now();
        await database.withSystem(async (tx) => {
          await deps.restarting(tx, ref, at);
          await looks.later(tx, { ...ref, version }, at);
        });
        return waiting(at);
      }
    }
  };

  /** When a network's maintenance window opens; undefined while it is open, or where there is none. */
  async function closedNow(accountId: string, gwid: string): Promise<Date | undefined> {
    return (await database.withSystem((tx) => closedUntil(tx, accountId, [gwid], clock.now()))).get(gwid);
  }

  /** Between two waves: who ended well is online still, and runs the version still. */
  const health: HealthCheck = async (items, job) => {
    const first = items[0];
    if (!first) return new Map();
    const serials = items.map(({ serial }) => serial ?? '');
    const devices = await database.withSystem((tx) => firmwareOf(tx, first.account_id, serials));
    const found = new Map(devices.map((device) => [device.serial, device]));
    const version = String(asRecord<Params>(job.params).version);
    return new Map(
      items.flatMap(({ seq, serial }): [number, string][] => {
        const device = found.get(serial ?? '');
        if (!device) return [];
        if (!device.online) return [[seq, 'job.unwell_offline']];
        return runs(device.firmware, version) ? [] : [[seq, 'job.firmware_unchanged']];
      }),
    );
  };
  jobs.register(firmwareJob, run, { health, there: whoIsThere(database), atOnce });

  /** The device would not; nothing restarts, so that nothing else tells the log. */
  async function notTaken(
    device: FirmwareFacts,
    job: Parameters<JobRunner>[1],
    version: string,
    reason: string,
  ): Promise<Outcome> {
    await database.withSystem((tx) =>
      log.write(tx, {
        ...{ account_id: job.account_id, serial: device.serial, name: device.name, gwid: device.gwid },
        ...{ action: 'upgrade', from_version: device.firmware, to_version: version, trigger: 'plan' },
        ...{ operator: job.operator, result: 'failed', reason, seconds: null, job_id: job.id },
      }),
    );
    return { status: 'failed', reason };
  }

  function followUp(device: FirmwareFacts, version: string, commanded: Date): Outcome {
    const here = device.online && device.onlineSince !== null && device.onlineSince >= commanded;
    if (here && runs(device.firmware, version)) return { status: 'succeeded' };
    // it has restarted, and runs something else
    if (here && device.restartingSince === null) return { status: 'failed', reason: 'job.firmware_unchanged' };
    if (clock.now().getTime() - commanded.getTime() < limitMs) return waiting(commanded);
    return { status: 'failed', reason: device.online ? 'job.firmware_unchanged' : 'job.not_returned' };
  }

  const looks = createLooks<DeviceRef & { version: string }>(deps, lookTask, async (tx, target, at) => {
    const [device] = await firmwareOf(tx, target.accountId, [target.serial]);
    return device !== undefined && followUp(device, target.version, at).status === 'waiting_offline';
  });

  /** The devices that an upgrade is for, those that prove something first; and the others, with why not. */
  function sorted(devices: readonly FirmwareFacts[], image: Image, sizes: Sizes) {
    const takes = devices.filter((device) => leftOut(device, image) === null);
    return {
      takes: dealt(takes, sizes),
      left: devices.flatMap((device) => {
        const why = leftOut(device, image);
        return why === null ? [] : [{ device, why }];
      }),
    };
  }

  return {
    async preview(
      tx: Tx,
      acting: Acting,
      input: InputOf<typeof firmware.upgradePreview>,
      most: number,
    ): Promise<Preview> {
      const { accountId } = acting;
      const image = await images.need(tx, acting, input.image_id);
      const devices = input.serials
        ? await firmwareOf(tx, accountId, input.serials)
        : await firmwareOfModels(tx, accountId, image.models, most);
      const { takes, left } = sorted(devices, image, input);
      return {
        devices: takes.map((device) => ({ ...rowOf(device), wave: device.wave })),
        left_out: left.map(({ device, why }) => ({ ...rowOf(device), why })),
      };
    },

    /** @throws Failure unsupported when the image is not ready, deviceOffline when none is there or left to upgrade */
    async start(tx: Tx, acting: Acting, input: Start): Promise<{ job_id: string }> {
      const image = await images.need(tx, acting, input.image_id);
      if (!image.ready) throw new Failure('unsupported');
      const { takes, left } = sorted(await firmwareOf(tx, acting.accountId, input.serials), image, input);
      const params: Params = { image_id: image.id, version: image.version, backup: input.backup };
      const jobId = await jobs.create(tx, acting, {
        type: firmwareJob,
        params,
        items: [
          ...takes.map((device) => ({ ...itemOf(device), wave: device.wave })),
          ...left.map(({ device }) => itemOf(device)),
        ],
        ...planOf(input),
      });
      await record(tx, acting, {
        action: 'firmware.upgrade',
        object: { type: 'job', id: jobId, name: firmwareJob },
        after: {
          to_version: image.version,
          serials: takes.map(({ serial }) => serial),
          start_at: input.start_at ?? null,
        },
        command: true,
        jobId,
      });
      return { job_id: jobId };
    },

    /** Restarts by a plan. */
    async restart(tx: Tx, acting: Acting, input: InputOf<typeof firmware.restartStart>): Promise<{ job_id: string }> {
      const devices = await firmwareOf(tx, acting.accountId, input.serials);
      const ordered = dealt(devices, input);
      const jobId = await jobs.create(tx, acting, {
        type: 'reboot',
        params: { queue: false },
        items: ordered.map((device) => ({ ...itemOf(device), wave: device.wave })),
        ...planOf(input),
      });
      await record(tx, acting, {
        action: 'firmware.restart',
        object: { type: 'job', id: jobId, name: 'reboot' },
        after: { serials: ordered.map(({ serial }) => serial), start_at: input.start_at ?? null },
        command: true,
        jobId,
      });
      return { job_id: jobId };
    },

    tasks: { [lookTask]: looks.look },
  };
}

function planOf({ first, rest_s, stop_above, start_at, windows = false }: Omit<firmware.WavePlanInput, 'percent'>) {
  return {
    plan: { first, restSeconds: rest_s, stopAbove: stop_above, windows },
    ...(start_at !== undefined && { startAt: new Date(start_at) }),
  };
}

function itemOf({ serial, gwid, name }: FirmwareFacts): NewItem {
  return { serial, gwid, name };
}

function rowOf({ serial, name, gwid, network, model, firmware: from, online }: FirmwareFacts) {
  return { serial, name, gwid, network, model, from, online };
}

function leftOut(device: FirmwareFacts, image: Image): firmware.LeftOutReason | null {
  if (versionOf(device) !== null) return 'agent';
  if (!isFor(image, device)) return 'model';
  return runs(device.firmware, image.version) ? 'current' : null;
}

function waiting(commanded: Date): Outcome {
  const detail: Progress = { commanded_at: commanded.toISOString() };
  return { status: 'waiting_offline', reason: 'job.upgrading', detail };
}
