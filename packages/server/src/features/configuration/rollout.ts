import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Jobs } from '../jobs/service.ts';
import type { DeviceOverride, WirelessIntent } from './compile/index.ts';
import type { ManagedDevice } from './device-store.ts';
import { readOverrides } from './intent-store.ts';
import type { Planner, Staging, Wish } from './planner.ts';
import { configurationJob, type PushDetail } from './push.ts';
import { claimVersion } from './version-store.ts';

export type Rollout = ReturnType<typeof createRollout>;

/** Wants devices' documents and starts the job that brings them there, in the caller's transaction. */
export function createRollout({ planner, jobs }: { planner: Planner; jobs: Pick<Jobs, 'create'> }) {
  interface Part {
    device: ManagedDevice;
    detail: PushDetail;
  }

  async function part(
    tx: Tx,
    device: ManagedDevice,
    wish: Wish,
    intent?: WirelessIntent,
    override?: DeviceOverride,
  ): Promise<Part> {
    const compiled = await planner.compileFor(tx, device, intent, override);
    return { device, detail: await planner.stage(tx, device, compiled, wish) };
  }

  async function create(tx: Tx, acting: Acting, parts: readonly Part[]): Promise<string> {
    const items = parts.map(({ device: { serial, gwid, name }, detail }) => ({ serial, gwid, name, detail }));
    const jobId = await jobs.create(tx, acting, { type: configurationJob, items });
    for (const { device, detail } of parts)
      if (detail.staging === 'staged') await claimVersion(tx, device, detail.sha, jobId);
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
      const [first] = devices;
      const overrides = first
        ? await readOverrides(
            tx,
            first.accountId,
            devices.map(({ serial }) => serial),
          )
        : new Map<string, DeviceOverride>();
      const parts: Part[] = [];
      for (const device of devices) parts.push(await part(tx, device, wish, intent, overrides.get(device.serial)));
      return create(tx, acting, parts);
    },

    /** A job only for a device that has something to get and no job yet. @returns what came of it, and the job's id if there is one */
    async startIfNeeded(
      tx: Tx,
      acting: Acting,
      device: ManagedDevice,
      wish: Wish,
    ): Promise<{ staging: Staging; jobId: string | null }> {
      const one = await part(tx, device, wish);
      const { staging, sha } = one.detail;
      if (staging !== 'staged' || !(await claimVersion(tx, device, sha, null))) return { staging, jobId: null };
      return { staging, jobId: await create(tx, acting, [one]) };
    },
  };
}
