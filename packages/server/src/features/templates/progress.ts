import type { DataOf, templatePush } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { jobStates } from '../jobs/index.ts';
import { type Change, type Round, roundsOf } from './change-store.ts';

type Row = DataOf<(typeof templatePush)['changeList']>['list'][number];
type Stopped = NonNullable<DataOf<(typeof templatePush)['changeDetail']>['rounds'][number]['stopped']>;

/** Status after the last round; wave of the assignment. */
export interface DeviceProgress {
  serial: string;
  name: string;
  gwid: string | null;
  wave: number;
  status: keyof Row['sums'] | 'succeeded';
  reason: string | null;
  cause: Round['cause'];
}

type Counted = Where & { count: number };

export interface Progress {
  rounds: Round[];
  devices: DeviceProgress[];
  sizes: ReadonlyMap<string, number>;
  stopped: ReadonlyMap<string, Stopped>;
}

const openStates = ['queued', 'running', 'waiting_offline'];

/** Uses its jobs only. */
export async function progressOfChange(tx: Tx, accountId: string, changeId: string): Promise<Progress> {
  const rounds = await roundsOf(tx, accountId, [changeId]);
  const jobIds = rounds.flatMap(({ job_id }) => job_id ?? []);
  const { items, stopped } = await jobStates.progress(tx, accountId, jobIds);
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
        serial,
        name,
        gwid,
        wave: before ?? wave,
        reason,
        cause,
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

export const isOpen = ({ status }: Pick<DeviceProgress, 'status'>): boolean => openStates.includes(status);

const badStates = ['rejected', 'failed', 'reverted'];

export const endedBadly = ({ status }: Pick<DeviceProgress, 'status'>): boolean => badStates.includes(status);

type Where = Pick<DeviceProgress, 'status' | 'cause' | 'reason'>;

/** A rollback stopped before this device. */
export const stoppedBack = ({ cause, status, reason }: Where): boolean =>
  cause === 'reverse' && status === 'cancelled' && reason !== 'job.unbound';

/** Includes failed and stopped ones. */
export function mayReverse(device: Where): boolean {
  return device.cause !== 'reverse' || endedBadly(device) || stoppedBack(device);
}

/** Returns whether the former template is back. */
function isBack({ cause, status, reason }: Where): boolean {
  if (cause !== 'reverse') return false;
  return status === 'applied' || status === 'succeeded' || (status === 'skipped' && reason === 'job.unchanged');
}

export function isReversed(rounds: readonly Round[], devices: readonly Where[]): boolean {
  if (!rounds.some(({ cause }) => cause === 'reverse')) return false;
  return !devices.some((device) => stoppedBack(device) || (device.status !== 'cancelled' && mayReverse(device)));
}

export async function presentChanges(tx: Tx, accountId: string, changes: readonly Change[]): Promise<Row[]> {
  const ids = changes.map(({ id }) => id);
  const all = await roundsOf(tx, accountId, ids);
  const rounds = ids.map((id) => all.filter(({ change_id }) => change_id === id));
  const jobs = rounds.map((own) => own.flatMap(({ job_id }) => job_id ?? []));
  const tallies = await jobStates.latest(tx, accountId, jobs);
  return changes.map((change, at) => {
    const own = rounds[at]!;
    const causes = new Map(own.map(({ job_id, cause }) => [job_id, cause]));
    const counted = tallies[at]!.map(({ jobId, status, reason, count }): Counted => {
      return { status: status as Counted['status'], reason, cause: causes.get(jobId)!, count };
    });
    return present(change, own, counted);
  });
}

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
    id,
    template_id: layer_id,
    name,
    version,
    takes_off,
    created_by,
    plan,
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
