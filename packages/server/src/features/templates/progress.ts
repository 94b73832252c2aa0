import type { DataOf, templatePush } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { lastStanding, progressOf } from '../jobs/standing.ts';
import { type Change, type Round, roundsOf } from './change-store.ts';

type Row = DataOf<(typeof templatePush)['changeList']>['list'][number];
type Stopped = NonNullable<DataOf<(typeof templatePush)['changeDetail']>['rounds'][number]['stopped']>;

/** Where a device of a push stands: by the last round that it was in; its wave is the one in which it was given the template. */
export interface DeviceProgress {
  serial: string;
  name: string;
  gwid: string | null;
  wave: number;
  status: keyof Row['sums'] | 'succeeded';
  reason: string | null;
  cause: Round['cause'];
}

/** Devices of a push that stand alike. */
type Counted = Where & { count: number };

/** Where a push stands. */
export interface Progress {
  rounds: Round[];
  devices: DeviceProgress[];
  /** Items of each job. */
  sizes: ReadonlyMap<string, number>;
  stopped: ReadonlyMap<string, Stopped>;
}

const openStates = ['queued', 'running', 'waiting_offline'];

/** Where a push stands: what its jobs say, and nothing else. */
export async function progressOfChange(tx: Tx, accountId: string, changeId: string): Promise<Progress> {
  const rounds = await roundsOf(tx, accountId, [changeId]);
  const jobIds = rounds.flatMap(({ job_id }) => job_id ?? []);
  const { items, stopped } = await progressOf(tx, accountId, jobIds);
  const devices = new Map<string, DeviceProgress>();
  const sizes = new Map<string, number>();
  const stops = new Map<string, Stopped>();
  for (const { job_id: jobId, cause } of rounds) {
    if (jobId === null) continue;
    const ofJob = items.filter((item) => item.jobId === jobId);
    sizes.set(jobId, ofJob.length);
    for (const { serial, name, gwid, wave, status, reason } of ofJob) {
      if (serial === null) continue;
      const before = cause === 'reverse' ? devices.get(serial)?.wave : undefined;
      devices.set(serial, {
        ...{ serial, name, gwid, wave: before ?? wave, reason, cause },
        status: status as DeviceProgress['status'],
      });
    }
    const stop = stopped.get(jobId);
    if (!stop) continue;
    const names = new Map(ofJob.map(({ seq, name }) => [seq, name]));
    const unwell = stop.unwell.map(({ seq, reason }) => ({ name: names.get(seq) ?? '', reason }));
    stops.set(jobId, { wave: stop.wave, decided: stop.decided, bad: stop.bad, unwell });
  }
  return { rounds, devices: [...devices.values()], sizes, stopped: stops };
}

/** Whether a device is still to have its turn, or has it now. */
export const isOpen = ({ status }: Pick<DeviceProgress, 'status'>): boolean => openStates.includes(status);

const badStates = ['rejected', 'failed', 'reverted'];

/** Whether a device is where a push that ended badly left it. */
export const endedBadly = ({ status }: Pick<DeviceProgress, 'status'>): boolean => badStates.includes(status);

type Where = Pick<DeviceProgress, 'status' | 'cause' | 'reason'>;

/** Whether taking a push back was stopped before a device's turn: it still has what the push gave it. */
export const stoppedBack = ({ cause, status, reason }: Where): boolean =>
  cause === 'reverse' && status === 'cancelled' && reason !== 'job.unbound';

/** Whether what a push gave a device can be taken back: what was tried in vain, or stopped, can be tried again. */
export function mayReverse(device: Where): boolean {
  return device.cause !== 'reverse' || endedBadly(device) || stoppedBack(device);
}

/** Whether a device has again what it had before: it was brought there, or never got further. */
function isBack({ cause, status, reason }: Where): boolean {
  if (cause !== 'reverse') return false;
  return status === 'applied' || status === 'succeeded' || (status === 'skipped' && reason === 'job.unchanged');
}

/** Whether nothing of a push is left to be taken back. */
export function isReversed(rounds: readonly Round[], devices: readonly Where[]): boolean {
  if (!rounds.some(({ cause }) => cause === 'reverse')) return false;
  return !devices.some((device) => stoppedBack(device) || (device.status !== 'cancelled' && mayReverse(device)));
}

/** Pushes as lists show them: their devices are counted where they are. */
export async function presentChanges(tx: Tx, accountId: string, changes: readonly Change[]): Promise<Row[]> {
  const ids = changes.map(({ id }) => id);
  const all = await roundsOf(tx, accountId, ids);
  const rounds = ids.map((id) => all.filter(({ change_id }) => change_id === id));
  const jobs = rounds.map((own) => own.flatMap(({ job_id }) => job_id ?? []));
  const tallies = await lastStanding(tx, accountId, jobs);
  return changes.map((change, at) => {
    const own = rounds[at]!;
    const causes = new Map(own.map(({ job_id, cause }) => [job_id, cause]));
    const counted = tallies[at]!.map(({ jobId, status, reason, count }): Counted => {
      return { status: status as Counted['status'], reason, cause: causes.get(jobId)!, count };
    });
    return present(change, own, counted);
  });
}

/** A push as lists show it. */
export function presentChange(change: Change, { rounds, devices }: Progress): Row {
  return present(
    change,
    rounds,
    devices.map((device) => ({ ...device, count: 1 })),
  );
}

function present(change: Change, rounds: readonly Round[], devices: readonly Counted[]): Row {
  const total = (some: readonly Counted[]) => some.reduce((sum, { count }) => sum + count, 0);
  const forth = devices.filter((device) => !isBack(device));
  const count = (...states: Counted['status'][]) => total(forth.filter(({ status }) => states.includes(status)));
  const { id, layer_id, name, version, takes_off, created_at, created_by, start_at, plan } = change;
  return {
    ...{ id, template_id: layer_id, name, version, takes_off, created_by, plan },
    open: devices.some(isOpen),
    reversed: isReversed(rounds, devices),
    created_at: created_at.toISOString(),
    start_at: start_at?.toISOString() ?? null,
    sums: {
      total: total(devices),
      queued: count('queued'),
      waiting_offline: count('waiting_offline'),
      running: count('running'),
      applied: count('applied', 'succeeded'),
      rejected: count('rejected'),
      failed: count('failed'),
      reverted: count('reverted'),
      cancelled: count('cancelled'),
      skipped: count('skipped'),
      taken_back: total(devices) - total(forth),
    },
  };
}
