import type { layers } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/managed-devices.ts';
import type { Jobs, WavePlan } from '../jobs/service.ts';
import { fingerprint } from './compile/index.ts';
import type { Desk } from './desk.ts';
import type { Pin } from './layers/store.ts';
import { keepPins } from './layers/use-store.ts';
import type { Planner, Wish } from './planner.ts';
import { configurationJob, type LaterDetail, type PushDetail } from './push-items.ts';
import type { ConfigState } from './transitions.ts';
import { claimVersions } from './version-store.ts';

/** Milliseconds after which a job's item that waited for its device is sure to have been given up. */
const itemLifeMs = 31 * 86_400_000;

export interface RolloutDeps {
  planner: Planner;
  jobs: Pick<Jobs, 'create'>;
  clock: Clock;
}

export type Rollout = ReturnType<typeof createRollout>;

/** A device that is to get a version of a template. */
export interface PinnedPart {
  device: { serial: string; gwid: string | null; name: string };
  wave: number;
  to: Pin | null;
  /** Only while this is what it has; missing: whatever it has. */
  from?: Pin | null;
  /** From its turn on it stands for the network or group by which it came. */
  stands?: boolean;
}

/** How a job goes that gives devices a template. */
export interface PinnedJob {
  kind: layers.TemplateKind;
  plan: WavePlan;
  startAt?: Date | undefined;
}

/** Wants devices' documents and starts the job that brings them there, in the caller's transaction. */
export function createRollout({ planner, jobs, clock }: RolloutDeps) {
  interface Part {
    device: ManagedDevice;
    detail: PushDetail;
  }

  async function create(tx: Tx, acting: Acting, parts: readonly Part[]): Promise<string | null> {
    if (parts.length === 0) return null;
    const items = parts.map(({ device: { serial, gwid, name }, detail }) => ({ serial, gwid, name, detail }));
    const jobId = await jobs.create(tx, acting, { type: configurationJob, items });
    const staged = parts.filter(({ detail }) => detail.staging === 'staged').map(({ device }) => device.serial);
    await claimVersions(tx, acting.accountId, staged, jobId);
    return jobId;
  }

  return {
    /** A job with an item for each device, also for those to which nothing goes. @returns its id; null when nobody is there */
    async start(tx: Tx, acting: Acting, devices: readonly ManagedDevice[], wish: Wish): Promise<string | null> {
      const { accountId } = acting;
      const serials = devices.map(({ serial }) => serial);
      const desk = await planner.desk(tx, accountId, serials);
      const there = serials.flatMap((serial) => desk.device(serial) ?? []);
      const compile = await planner.compiler(tx, accountId, there);
      const parts = there.map((device): Part => {
        return { device, detail: planner.stage(desk, device, compile(device), wish) };
      });
      await desk.close();
      return create(tx, acting, parts);
    },

    /** A job whose items compile what their devices should run when they come to it. @returns its id; null when nobody is there */
    async later(
      tx: Tx,
      acting: Acting,
      devices: readonly { serial: string; gwid: string | null; name: string }[],
      wish: Wish,
    ): Promise<string | null> {
      if (devices.length === 0) return null;
      const detail: LaterDetail = { staging: 'later', ...wish };
      const items = devices.map(({ serial, gwid, name }) => ({ serial, gwid, name, detail }));
      return jobs.create(tx, acting, { type: configurationJob, items });
    },

    /**
     * A job whose items give their devices a version of a template when their turn comes, and push what that makes of
     * them. @returns its id
     */
    pinned(tx: Tx, acting: Acting, parts: readonly PinnedPart[], wish: Wish, when: PinnedJob): Promise<string> {
      const items = parts.map(({ device: { serial, gwid, name }, wave, ...pin }) => {
        const detail: LaterDetail = { staging: 'later', ...wish, pin: { kind: when.kind, ...pin } };
        return { serial, gwid, name, detail, wave };
      });
      const { plan, startAt } = when;
      return jobs.create(tx, acting, { type: configurationJob, items, plan, startAt });
    },

    /**
     * A job for a device that should run something else than what is wanted of it, or that nothing is on its way to.
     * Nobody asked for this one: drift and failures are left for somebody to look at, but for a refusal by other firmware.
     * @returns the job's id, if there is one
     */
    async startIfNeeded(tx: Tx, acting: Acting, serial: string, wish: Wish): Promise<string | null> {
      const { accountId } = acting;
      const desk = await planner.desk(tx, accountId, [serial]);
      const device = desk.device(serial);
      if (!device) return null;
      const compiled = await planner.compileFor(tx, device);
      const { state, known } = desk.standing(serial);
      const sha = fingerprint(compiled.document);
      if (known && (state.state === 'drifted' || (state.desired_sha === sha && !undone(desk, device, state))))
        return null;
      const detail = planner.stage(desk, device, compiled, wish);
      await desk.close();
      await keepPins(tx, accountId, device);
      return detail.staging === 'staged' ? create(tx, acting, [{ device, detail }]) : null;
    },
  };

  /** Whether the wanted document still has to be brought to the device and no job's item is there for it. */
  function undone(desk: Desk, { serial, firmware }: ManagedDevice, state: ConfigState): boolean {
    if (state.state === 'failed') {
      const refused = state.rejected_sha === state.desired_sha && state.rejection === 'refused';
      return refused && state.rejected_firmware !== firmware;
    }
    if (state.state !== 'pending') return false;
    const version = desk.version(serial, state.desired_uuid);
    const age = clock.now().getTime() - (version?.created_at.getTime() ?? 0);
    return version !== undefined && (version.job_id === null || age > itemLifeMs);
  }
}
