import type { layers } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/index.ts';
import type { Jobs, WavePlan } from '../jobs/index.ts';
import { readHeldList, releaseHolds } from './block-hold-store.ts';
import { fingerprint, type UcentralDocument } from './compile/index.ts';
import type { ConfigSession } from './config-session.ts';
import { awaitingReport } from './first-contact/unsettled.ts';
import { keepInheritedAssignments } from './layers/assignment-store.ts';
import type { Assignment } from './layers/template-store.ts';
import type { Planner, PushReason, UnsavedSettings } from './planner.ts';
import { configurationJob, type LaterDetail, type PushDetail } from './push-items.ts';
import type { ConfigState } from './transitions.ts';
import { claimVersions } from './version-store.ts';

/** Milliseconds; longer than any item waits. */
const itemLifeMs = 31 * 86_400_000;

export interface RolloutDeps {
  planner: Planner;
  jobs: Pick<Jobs, 'create'>;
  clock: Clock;
}

export type Rollout = ReturnType<typeof createRollout>;

export interface AssignmentPart {
  device: { serial: string; gwid: string | null; name: string };
  wave: number;
  to: Assignment | null;
  /** Expected assignment; missing: any. */
  from?: Assignment | null;
  assignsScope?: boolean;
}

export interface Later {
  plan: WavePlan;
  waveOf(serial: string): number;
}

export interface AssignmentJob {
  kind: layers.TemplateKind;
  plan: WavePlan;
  startAt?: Date | undefined;
}

export function createRollout({ planner, jobs, clock }: RolloutDeps) {
  interface Part {
    device: ManagedDevice;
    detail: PushDetail | LaterDetail;
  }

  async function create(
    tx: Tx,
    acting: Acting,
    parts: readonly Part[],
    params: Partial<Pick<PushReason, 'cause'>> = {},
  ): Promise<string | null> {
    if (parts.length === 0) return null;
    const items = parts.map(({ device: { serial, gwid, name }, detail }) => ({ serial, gwid, name, detail }));
    const jobId = await jobs.create(tx, acting, { type: configurationJob, params, items });
    const staged = parts.filter(({ detail }) => detail.staging === 'staged').map(({ device }) => device.serial);
    await claimVersions(tx, acting.accountId, staged, jobId);
    return jobId;
  }

  return {
    /**
     * Includes unchanged devices.
     * @returns null without devices
     */
    async start(
      tx: Tx,
      acting: Acting,
      devices: readonly ManagedDevice[],
      reason: PushReason,
      unsaved: UnsavedSettings = {},
    ): Promise<string | null> {
      const { accountId } = acting;
      const serials = devices.map(({ serial }) => serial);
      const session = await planner.openSession(tx, accountId, serials);
      const present = serials.flatMap((serial) => session.device(serial) ?? []);
      // read first: a report in between would compile a device without its LAN
      const awaited = await awaitingReport(tx, accountId, present);
      const compile = await planner.compiler(tx, accountId, present, unsaved);
      await releaseHolds(tx, accountId, serials);
      const parts = present.map((device): Part => {
        if (awaited.has(device.serial)) return { device, detail: { staging: 'later', ...reason } };
        const detail = planner.stage(session, device, compile(device), reason);
        const waits = detail.staging === 'unreported' || detail.staging === 'unconfirmed';
        return { device, detail: waits ? { staging: 'later', ...reason } : detail };
      });
      await session.close();
      return create(tx, acting, parts, { cause: reason.cause });
    },

    /** Compiles when items run. @returns null without devices */
    async later(
      tx: Tx,
      acting: Acting,
      devices: readonly { serial: string; gwid: string | null; name: string }[],
      reason: PushReason,
      when?: Later,
    ): Promise<string | null> {
      if (devices.length === 0) return null;
      const detail: LaterDetail = { staging: 'later', ...reason };
      const items = devices.map(({ serial, gwid, name }) => {
        return { serial, gwid, name, detail, ...(when ? { wave: when.waveOf(serial) } : {}) };
      });
      return jobs.create(tx, acting, { type: configurationJob, items, ...(when ? { plan: when.plan } : {}) });
    },

    createAssignmentJob(
      tx: Tx,
      acting: Acting,
      parts: readonly AssignmentPart[],
      reason: PushReason,
      when: AssignmentJob,
    ): Promise<string> {
      const items = parts.map(({ device: { serial, gwid, name }, wave, to, from, assignsScope }) => {
        const detail: LaterDetail = {
          staging: 'later',
          ...reason,
          pin: { kind: when.kind, to, from, stands: assignsScope },
        };
        return { serial, gwid, name, detail, wave };
      });
      const { plan, startAt } = when;
      return jobs.create(tx, acting, { type: configurationJob, items, plan, startAt });
    },

    /** Skips configured devices. @returns null without others */
    async startDocument(
      tx: Tx,
      acting: Acting,
      serial: string,
      document: UcentralDocument,
      reason: PushReason,
    ): Promise<string | null> {
      const session = await planner.openSession(tx, acting.accountId, [serial]);
      const device = session.device(serial);
      if (!device || session.stateOf(serial).known) return null;
      const detail = planner.stage(session, device, { document, findings: [] }, reason);
      await session.close();
      return detail.staging === 'staged' ? create(tx, acting, [{ device, detail }]) : null;
    },

    /** Runs automatically: skips drifted and failed devices, unless different firmware rejected the document. */
    async startIfNeeded(tx: Tx, acting: Acting, serial: string, reason: PushReason): Promise<string | null> {
      const { accountId } = acting;
      const session = await planner.openSession(tx, accountId, [serial]);
      const device = session.device(serial);
      if (!device) return null;
      const compiled = await planner.compileFor(tx, device);
      const { state, known } = session.stateOf(serial);
      if (known && state.state === 'drifted') return null;
      const isWanted = (await isWantedBy(tx, device, state, compiled.document)) || (await isHeld(tx, device, state));
      if (known && isWanted && !undone(session, device, state)) return null;
      const detail = planner.stage(session, device, compiled, reason);
      await releaseHolds(tx, accountId, [serial]);
      await session.close();
      await keepInheritedAssignments(tx, accountId, device);
      return detail.staging === 'staged' ? create(tx, acting, [{ device, detail }]) : null;
    },
  };

  /** Returns whether only a held deny list (`block_hold`) differs. */
  async function isHeld(tx: Tx, device: ManagedDevice, state: ConfigState): Promise<boolean> {
    const held = await readHeldList(tx, device.accountId, device.serial);
    if (held === null) return false;
    const { document } = await planner.compileFor(tx, device, { blocked: () => held });
    return isWantedBy(tx, device, state, document);
  }

  async function isWantedBy(
    tx: Tx,
    device: ManagedDevice,
    { desired_sha, desired_uuid }: ConfigState,
    document: UcentralDocument,
  ): Promise<boolean> {
    if (desired_sha === fingerprint(document)) return true;
    return desired_uuid !== null && planner.differsTrivially(tx, device, document, desired_uuid);
  }

  /** Returns whether the document is unapplied and without a job item. */
  function undone(session: ConfigSession, { serial, firmware }: ManagedDevice, state: ConfigState): boolean {
    if (state.state === 'failed') {
      const refused = state.rejected_sha === state.desired_sha && state.rejection === 'refused';
      return refused && state.rejected_firmware !== firmware;
    }
    if (state.state !== 'pending') return false;
    const version = session.version(serial, state.desired_uuid);
    const age = clock.now().getTime() - (version?.created_at.getTime() ?? 0);
    return version !== undefined && (version.job_id === null || age > itemLifeMs);
  }
}
