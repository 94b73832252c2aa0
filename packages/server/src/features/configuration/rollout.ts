import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/managed-devices.ts';
import type { Jobs } from '../jobs/service.ts';
import { fingerprint, type WirelessIntent } from './compile/index.ts';
import type { Planner, Wish } from './planner.ts';
import { configurationJob, type LaterDetail, type PushDetail } from './push.ts';
import type { ConfigState } from './transitions.ts';
import { claimVersions, findVersion, readState } from './version-store.ts';

/** Milliseconds after which a job's item that waited for its device is sure to have been given up. */
const itemLifeMs = 31 * 86_400_000;

export interface RolloutDeps {
  planner: Planner;
  jobs: Pick<Jobs, 'create'>;
  clock: Clock;
}

export type Rollout = ReturnType<typeof createRollout>;

/** Wants devices' documents and starts the job that brings them there, in the caller's transaction. */
export function createRollout({ planner, jobs, clock }: RolloutDeps) {
  interface Part {
    device: ManagedDevice;
    detail: PushDetail;
  }

  async function create(tx: Tx, acting: Acting, parts: readonly Part[]): Promise<string> {
    const items = parts.map(({ device: { serial, gwid, name }, detail }) => ({ serial, gwid, name, detail }));
    const jobId = await jobs.create(tx, acting, { type: configurationJob, items });
    const staged = parts.filter(({ detail }) => detail.staging === 'staged').map(({ device }) => device.serial);
    await claimVersions(tx, acting.accountId, staged, jobId);
    return jobId;
  }

  return {
    /** A job with an item for each device, also for those to which nothing goes. @returns its id */
    async start(
      tx: Tx,
      acting: Acting,
      devices: readonly ManagedDevice[],
      wish: Wish,
      intent?: WirelessIntent,
    ): Promise<string> {
      const compile = await planner.compiler(tx, acting.accountId, devices);
      const parts: Part[] = [];
      for (const device of devices) {
        const compiled = intent ? compile(device, intent) : await planner.compileFor(tx, device);
        parts.push({ device, detail: await planner.stage(tx, device, compiled, wish) });
      }
      return create(tx, acting, parts);
    },

    /** A job whose items compile what their devices should run when they come to it. @returns its id */
    later(
      tx: Tx,
      acting: Acting,
      devices: readonly { serial: string; gwid: string | null; name: string }[],
      wish: Wish,
    ): Promise<string> {
      const detail: LaterDetail = { staging: 'later', ...wish };
      const items = devices.map(({ serial, gwid, name }) => ({ serial, gwid, name, detail }));
      return jobs.create(tx, acting, { type: configurationJob, items });
    },

    /**
     * A job for a device that should run something else than what is wanted of it, or that nothing is on its way to.
     * Nobody asked for this one: drift and failures are left for somebody to look at, but for a refusal by other firmware.
     * @returns the job's id, if there is one
     */
    async startIfNeeded(tx: Tx, acting: Acting, device: ManagedDevice, wish: Wish): Promise<string | null> {
      const compiled = await planner.compileFor(tx, device);
      const { state, known } = await readState(tx, device);
      const sha = fingerprint(compiled.document);
      if (known && (state.state === 'drifted' || (state.desired_sha === sha && !(await undone(tx, device, state))))) {
        return null;
      }
      const detail = await planner.stage(tx, device, compiled, wish);
      return detail.staging === 'staged' ? create(tx, acting, [{ device, detail }]) : null;
    },
  };

  /** Whether the wanted document still has to be brought to the device and no job's item is there for it. */
  async function undone(tx: Tx, device: ManagedDevice, state: ConfigState): Promise<boolean> {
    if (state.state === 'failed')
      return (
        state.rejected_sha === state.desired_sha &&
        state.rejected_firmware !== null &&
        state.rejected_firmware !== (device.firmware ?? '')
      );
    if (state.state !== 'pending' || state.desired_uuid === null) return false;
    const version = await findVersion(tx, device, state.desired_uuid);
    const age = clock.now().getTime() - (version?.created_at.getTime() ?? 0);
    return version !== undefined && (version.job_id === null || age > itemLifeMs);
  }
}
