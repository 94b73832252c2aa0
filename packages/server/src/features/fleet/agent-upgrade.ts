import { asRecord } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { createLooks } from '../jobs/looks.ts';
import { inWaves, type JobRunner, type Jobs, type Outcome } from '../jobs/service.ts';
import { record } from '../logs/audit.ts';
import type { FleetCommands } from './commands.ts';
import { type DeviceRecord, devicesBySerial } from './device-store.ts';
import type { DeviceRef, PresenceKeeper } from './presence.ts';

/** The version of the agent that this console gives, and where a box fetches it. */
export interface AgentOffer {
  version: string;
  uri: string;
}

export interface AgentUpgradeDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'wake' | 'register'>;
  commands: Pick<FleetCommands, 'upgrade'>;
  presence: Pick<PresenceKeeper, 'restarting'>;
  /** Null when this console was built without the agent. */
  offer(): Promise<AgentOffer | null>;
}

/** What an item remembers between its runs. */
interface Progress {
  /** When the device took the command. */
  commanded_at: string;
}

/** Why a device is left out of an upgrade: not our agent, at this version already (or a later one), or nothing to give. */
export type LeftOut = 'other' | 'current' | 'unbuilt';

const lookTask = 'agent-upgrade-look';
/** A new version has five minutes to be online, three times (packages/edge/src/agent/launcher.ts); then it has had its time. */
const limitMs = 20 * 60_000;
/** The agent's word for a start of the version before, after a new one did not report. */
const returnedReason = 'upgradefailed';

/**
 * Upgrades of our own agent as jobs in waves: one device, a tenth, the rest. An item has succeeded when its device is here
 * with the version; a device that returned to its old version or stayed away stops the waves after its own.
 */
export function createAgentUpgrades({ database, clock, jobs, commands, presence, offer }: AgentUpgradeDeps) {
  const run: JobRunner = async (item, job) => {
    const ref = { accountId: item.account_id, serial: item.serial ?? '' };
    const [device] = await database.withSystem((tx) => devicesBySerial(tx, ref.accountId, [ref.serial]));
    if (!device) return { status: 'cancelled', reason: 'job.unbound' };
    const { version, uri } = asRecord<AgentOffer>(job.params);
    if (typeof version !== 'string' || typeof uri !== 'string')
      return { status: 'skipped', reason: 'job.agent_unbuilt' };
    const { commanded_at: before } = asRecord<Progress>(item.detail);
    if (typeof before === 'string') return followUp(device, version, new Date(before));
    // a process that died after the command, before it could write that it gave it
    const mark = device.restarting_since;
    if (mark && item.started_at && mark >= item.started_at) return followUp(device, version, mark);
    const out = leftOut(device, { version, uri });
    if (out !== null) return { status: 'skipped', reason: `job.agent_${out}` };
    const command = await commands.upgrade(ref, uri);
    switch (command.outcome) {
      case 'offline':
        return { status: 'skipped', reason: 'job.skipped_offline' };
      case 'silent':
        return { status: 'failed', reason: 'job.silent' };
      case 'refused':
        return { status: 'failed', reason: command.text || 'job.refused' };
      case 'gone':
      case 'done': {
        const at = clock.now();
        await database.withSystem(async (tx) => {
          await presence.restarting(tx, ref, at);
          await looks.later(tx, { ...ref, version }, at);
        });
        return waiting(at);
      }
    }
  };
  jobs.register('agent_upgrade', run);

  function followUp(device: DeviceRecord, version: string, commanded: Date): Outcome {
    const here = device.online && device.online_since !== null && device.online_since >= commanded;
    if (here && versionOf(device) === version) return { status: 'succeeded' };
    if (here && device.restart_reason === returnedReason) return { status: 'failed', reason: 'job.agent_returned' };
    if (clock.now().getTime() - commanded.getTime() < limitMs) return waiting(commanded);
    return { status: 'failed', reason: device.online ? 'job.agent_not_upgraded' : 'job.not_returned' };
  }

  const looks = createLooks<DeviceRef & { version: string }>(
    { database, clock, jobs },
    lookTask,
    async (tx, target, at) => {
      const [device] = await devicesBySerial(tx, target.accountId, [target.serial]);
      return device !== undefined && followUp(device, target.version, at).status === 'waiting_offline';
    },
  );

  async function plan(tx: Tx, accountId: string, serials: readonly string[]) {
    const [offered, devices] = await Promise.all([offer(), devicesBySerial(tx, accountId, serials)]);
    const takes = devices.filter((device) => leftOut(device, offered) === null);
    // one that is away cannot prove anything
    const ordered = takes.toSorted((a, b) => Number(b.online) - Number(a.online));
    const waves = inWaves(ordered.length);
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
    /** What an upgrade of these devices would do: its waves, and who is left out and why. */
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

    /** Upgrades devices, wave after wave. @throws Failure deviceOffline when none of those it is for is there */
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

    tasks: { [lookTask]: looks.look },
  };
}

function waiting(commanded: Date): Outcome {
  const detail: Progress = { commanded_at: commanded.toISOString() };
  return { status: 'waiting_offline', reason: 'job.upgrading', detail };
}

/** The version of our agent that a device runs, by its last `connect`; null for other devices. */
export function versionOf({ firmware }: Pick<DeviceRecord, 'firmware'>): string | null {
  return /^Yunxun edge (\d{1,5}\.\d{1,5}\.\d{1,5}\S*)$/.exec(firmware ?? '')?.[1] ?? null;
}

function leftOut(device: Pick<DeviceRecord, 'firmware'>, offered: AgentOffer | null): LeftOut | null {
  const version = versionOf(device);
  if (version === null) return 'other';
  if (offered === null) return 'unbuilt';
  return isOlder(version, offered.version) ? null : 'current';
}

/** By semantic versioning: numbers first, then a version with a suffix (`-rc.1`) is older than the same without. */
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
