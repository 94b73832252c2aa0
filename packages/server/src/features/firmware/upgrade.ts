import type { DataOf, firmware, InputOf } from '@yunxun/contract';
import { asRecord } from '@yunxun/contract/device';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { assignWaves, type WaveSizes } from '../../platform/rollout-waves.ts';
import type { Backup } from '../backup/index.ts';
import { type Fleet, fleetDevices } from '../fleet/index.ts';
import type { HealthCheck, Job, Jobs, Outcome } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import { firmwareJob, type Images, isFor, runs } from './images.ts';
import type { UpgradeLog } from './log.ts';
import { addressOf } from './serve.ts';
import { findImage, type Image } from './store.ts';

type FirmwareFacts = Awaited<ReturnType<typeof fleetDevices.firmware>>[number];

export interface UpgradeDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'register'>;
  fleet: Pick<Fleet, 'commands' | 'commandJobs' | 'heldByWindow'>;
  backup: Pick<Backup, 'beforeUpgrade'>;
  images: Images;
  log: UpgradeLog;
  publicUrl: string;
}

interface Params {
  image_id: string;
  version: string;
  backup: boolean;
}

type Start = InputOf<typeof firmware.upgradeStart>;
type Preview = DataOf<typeof firmware.upgradePreview>;

const offline: Outcome = { status: 'waiting_offline', reason: 'job.offline' };
/** Milliseconds; slow flash, and key generation at first boot. */
const limitMs = 20 * 60_000;
/** Maximum concurrent downloads. */
const atOnce = 32;

/** An item succeeds once its device reports the version; offline devices wait without blocking. */
export function createUpgrades(deps: UpgradeDeps) {
  const { database, jobs, fleet, backup, images, log } = deps;

  const { run, tasks } = fleet.commandJobs({
    recheckTask: 'firmware-look',
    about: 'job.upgrading',
    limitMs,
    undone: 'job.firmware_unchanged',
    async prepare(ref, device, job) {
      const params = asRecord<Params>(job.params);
      const image = await database.withSystem((tx) => findImage(tx, ref.accountId, String(params.image_id)));
      if (!image) return { status: 'failed', reason: 'job.image_gone' };
      const why = leftOut(device, image);
      if (why !== null) return { status: 'skipped', reason: `job.firmware_${why}` };
      if (!device.online) return offline;
      const held = await fleet.heldByWindow(ref, device, job);
      if (held) return held;
      const { gwid } = device;
      if (params.backup === true && gwid)
        await database.withSystem((tx) => backup.beforeUpgrade(tx, bySystem(ref.accountId), gwid, job.created_at));
      return () => fleet.commands.upgrade(ref, addressOf(image, deps.publicUrl), image.signature);
    },
    offline: () => offline,
    verdict(device, { restarted }, version) {
      if (runs(device.firmware, version)) return { status: 'succeeded' };
      return restarted ? { status: 'failed', reason: 'job.firmware_unchanged' } : null;
    },
    goal: versionFor,
    noteFailure: (tx, device, job, reason) => log.writeFailure(tx, device, job, { to: versionFor(job), reason }),
  });

  /** Successful devices must be online with the version. */
  const health: HealthCheck = async (items, job) => {
    const first = items[0];
    if (!first) return new Map();
    const serials = items.map(({ serial }) => serial ?? '');
    const devices = await database.withSystem((tx) => fleetDevices.firmware(tx, first.account_id, serials));
    const found = new Map(devices.map((device) => [device.serial, device]));
    const version = versionFor(job);
    return new Map(
      items.flatMap(({ seq, serial }): [number, string][] => {
        const device = found.get(serial ?? '');
        if (!device) return [];
        if (!device.online) return [[seq, 'job.unwell_offline']];
        return runs(device.firmware, version) ? [] : [[seq, 'job.firmware_unchanged']];
      }),
    );
  };
  jobs.register(firmwareJob, run, { health, onlineItems: fleetDevices.onlineItems(database), atOnce });

  /** Splits devices into targets with waves, and excluded ones with reasons. */
  function sorted(devices: readonly FirmwareFacts[], image: Image, sizes: WaveSizes) {
    const takes = devices.filter((device) => leftOut(device, image) === null);
    return {
      takes: assignWaves(takes, sizes),
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
      max: number,
    ): Promise<Preview> {
      const { accountId } = acting;
      const image = await images.need(tx, acting, input.image_id);
      const { devices, total } = input.serials
        ? await named(tx, accountId, input.serials)
        : await fleetDevices.firmwareOfModels(tx, accountId, {
            models: image.models,
            limit: max,
            except: (await fleetDevices.versionCounts(tx, accountId)).flatMap(({ version }) =>
              version !== null && isDone(version, image) ? [version] : [],
            ),
          });
      const { takes, left } = sorted(devices, image, input);
      return {
        devices: takes.map((device) => ({ ...rowOf(device), wave: device.wave })),
        left_out: left.map(({ device, why }) => ({ ...rowOf(device), why })),
        beyond: total - devices.length,
      };
    },

    /** @throws Failure notFound, noPermission; unsupported if the image is not ready */
    async start(tx: Tx, acting: Acting, input: Start): Promise<{ job_id: string }> {
      const image = await images.need(tx, acting, input.image_id);
      if (!image.ready) throw new Failure('unsupported');
      const { takes, left } = sorted(await fleetDevices.firmware(tx, acting.accountId, input.serials), image, input);
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

    async restart(tx: Tx, acting: Acting, input: InputOf<typeof firmware.restartStart>): Promise<{ job_id: string }> {
      const devices = await fleetDevices.firmware(tx, acting.accountId, input.serials);
      const ordered = assignWaves(devices, input);
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

    tasks,
  };
}

function planOf({ first, rest_s, stop_above, start_at, windows = false }: Omit<firmware.WavePlanInput, 'percent'>) {
  return {
    plan: { first, restSeconds: rest_s, stopAbove: stop_above, windows },
    ...(start_at !== undefined && { startAt: new Date(start_at) }),
  };
}

function itemOf({ serial, gwid, name }: FirmwareFacts) {
  return { serial, gwid, name };
}

function rowOf({ serial, name, gwid, network, model, firmware: from, online }: FirmwareFacts) {
  return { serial, name, gwid, network, model, from, online };
}

async function named(tx: Tx, accountId: string, serials: readonly string[]) {
  const devices = await fleetDevices.firmware(tx, accountId, serials);
  return { devices, total: devices.length };
}

/** Returns whether it has the image or runs the Yunxun agent. */
function isDone(reported: string, image: Image): boolean {
  return fleetDevices.agentVersion({ firmware: reported }) !== null || runs(reported, image.version);
}

function leftOut(device: FirmwareFacts, image: Image): firmware.LeftOutReason | null {
  if (fleetDevices.agentVersion(device) !== null) return 'agent';
  if (!isFor(image, device)) return 'model';
  return runs(device.firmware, image.version) ? 'current' : null;
}

function versionFor({ params }: Job): string {
  return String(asRecord<Params>(params).version);
}
