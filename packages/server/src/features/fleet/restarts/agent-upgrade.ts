import { asRecord } from '@yunxun/contract/device';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { waveSizes } from '../../../platform/rollout-waves.ts';
import type { Job, Jobs } from '../../jobs/index.ts';
import { record } from '../../logs/index.ts';
import { type DeviceRecord, devicesBySerial } from '../device-store.ts';
import type { FirmwareFacts } from '../firmware-facts.ts';
import type { PresenceTracker } from '../presence.ts';
import { createCommandJobs } from './command-jobs.ts';
import type { FleetCommands } from './commands.ts';

export interface AgentOffer {
  version: string;
  uri: string;
}

export interface AgentUpgradeDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'wake' | 'register' | 'remember'>;
  commands: Pick<FleetCommands, 'upgrade'>;
  presence: Pick<PresenceTracker, 'restarting'>;
  noteFailure: NoteFailure;
  /** Null: this console was built without the agent. */
  offer(): Promise<AgentOffer | null>;
}

/** Records that an upgrade to a version failed. */
export type NoteFailure = (
  tx: Tx,
  device: FirmwareFacts,
  job: Job,
  fault: { to: string; reason: string },
) => Promise<void>;

/** `other`: no edge agent; `current`: same or later; `unbuilt`: no agent to offer. */
export type LeftOut = 'other' | 'current' | 'unbuilt';

/** Milliseconds. The launcher tries a version three times, five minutes each (packages/edge/src/agent/launcher.ts). */
const limitMs = 20 * 60_000;
/** Boot reason after a fallback. */
const returnedReason = 'upgradefailed';

/**
 * Upgrades one device, a tenth, then the rest. An item succeeds once its device is online with the version; a fallback
 * or absence stops later waves.
 */
export function createAgentUpgrades(deps: AgentUpgradeDeps) {
  const { jobs, commands, offer } = deps;
  const { run, tasks } = createCommandJobs(deps, {
    recheckTask: 'agent-upgrade-look',
    about: 'job.upgrading',
    limitMs,
    undone: 'job.agent_not_upgraded',
    async prepare(ref, device, { params }) {
      const { version, uri } = asRecord<AgentOffer>(params);
      if (typeof version !== 'string' || typeof uri !== 'string')
        return { status: 'skipped', reason: 'job.agent_unbuilt' };
      const out = leftOut(device, { version, uri });
      return out === null ? () => commands.upgrade(ref, uri) : { status: 'skipped', reason: `job.agent_${out}` };
    },
    offline: () => ({ status: 'skipped', reason: 'job.skipped_offline' }),
    verdict(device, { booted }, version) {
      if (versionOf(device) === version) return { status: 'succeeded' };
      // may boot several times before the fallback
      return booted && device.restartReason === returnedReason
        ? { status: 'failed', reason: 'job.agent_returned' }
        : null;
    },
    goal: versionFor,
    noteFailure: (tx, device, job, reason) => deps.noteFailure(tx, device, job, { to: versionFor(job), reason }),
  });
  jobs.register('agent_upgrade', run);

  async function plan(tx: Tx, accountId: string, serials: readonly string[]) {
    const [offered, devices] = await Promise.all([offer(), devicesBySerial(tx, accountId, serials)]);
    const takes = devices.filter((device) => leftOut(device, offered) === null);
    // an offline device proves nothing
    const ordered = takes.toSorted((a, b) => Number(b.online) - Number(a.online));
    const waves = waveSizes(ordered.length);
    return {
      offered,
      devices: ordered.map((device, at) => ({ device, wave: waves[at] ?? 0 })),
      left: devices.flatMap((device) => {
        const why = leftOut(device, offered);
        return why === null ? [] : [{ device, why }];
      }),
    };
  }

  return {
    async preview(tx: Tx, accountId: string, serials: readonly string[]) {
      const { offered, devices, left } = await plan(tx, accountId, serials);
      const row = (device: DeviceRecord) => ({
        serial: device.serial,
        remark: device.remark,
        from: versionOf(device),
        online: device.online,
      });
      return {
        version: offered?.version ?? null,
        devices: devices.map(({ device, wave }) => ({ ...row(device), wave })),
        left_out: left.map(({ device, why }) => ({ ...row(device), why })),
      };
    },

    /** @throws Failure deviceOffline if no suitable device is online */
    async start(tx: Tx, acting: Acting, serials: readonly string[]): Promise<{ job_id: string }> {
      const { offered, devices, left } = await plan(tx, acting.accountId, serials);
      if (devices.length > 0 && !devices.some(({ device }) => device.online))
        throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
      const item = ({ serial, gwid, remark }: DeviceRecord) => ({ serial, gwid, name: remark });
      const jobId = await jobs.create(tx, acting, {
        type: 'agent_upgrade',
        params: offered ?? {},
        items: [
          ...devices.map(({ device, wave }) => ({ ...item(device), wave })),
          ...left.map(({ device }) => item(device)),
        ],
      });
      await record(tx, acting, {
        action: 'device.agent_upgrade',
        object: { type: 'job', id: jobId, name: 'agent_upgrade' },
        after: { version: offered?.version ?? null, serials: devices.map(({ device }) => device.serial) },
        command: true,
        jobId,
      });
      return { job_id: jobId };
    },

    tasks,
  };
}

const versionFor = ({ params }: Job) => String(asRecord<AgentOffer>(params).version);

/** Returns the version of the last `connect`; null without the edge agent. */
export function versionOf({ firmware }: Pick<DeviceRecord, 'firmware'>): string | null {
  return /^Yunxun edge (\d{1,5}\.\d{1,5}\.\d{1,5}\S*)$/.exec(firmware ?? '')?.[1] ?? null;
}

function leftOut(device: Pick<DeviceRecord, 'firmware'>, offered: AgentOffer | null): LeftOut | null {
  const version = versionOf(device);
  if (version === null) return 'other';
  if (offered === null) return 'unbuilt';
  return isOlder(version, offered.version) ? null : 'current';
}

/** Compares semantically: `-rc.1` is older than the plain version. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => {
    const [numbers = '', suffix = ''] = text.split(/-(.*)/s);
    return { numbers: numbers.split(/[.+]/).slice(0, 3).map(Number), suffix };
  });
  if (!a || !b) return false;
  for (const [at, number] of a.numbers.entries()) {
    const other = b.numbers[at] ?? 0;
    if (number !== other) return number < other;
  }
  if (a.suffix === '' || b.suffix === '') return a.suffix !== '' && b.suffix === '';
  return a.suffix.localeCompare(b.suffix, 'en', { numeric: true }) < 0;
}
