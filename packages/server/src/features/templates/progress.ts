import type { DataOf, templatePush } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { progressOf } from '../jobs/standing.ts';
import { type Change, type Round, roundsOf } from './change-store.ts';

type Row = DataOf<(typeof templatePush)['changeList']>['list'][number];
type Stopped = NonNullable<DataOf<(typeof templatePush)['changeDetail']>['rounds'][number]['stopped']>;

/** Where a device of a push stands: by the last round that it was in. */
export interface DeviceProgress {
  serial: string;
  name: string;
  gwid: string | null;
  wave: number;
  status: keyof Row['sums'] | 'succeeded';
  reason: string | null;
  cause: Round['cause'];
}

/** Where a push stands. */
export interface Progress {
  rounds: Round[];
  devices: DeviceProgress[];
  /** Items of each job. */
  sizes: ReadonlyMap<string, number>;
  stopped: ReadonlyMap<string, Stopped>;
  open: boolean;
  /** Nothing of it is left to be taken back. */
  reversed: boolean;
}

const openStates = ['queued', 'running', 'waiting_offline'];

/** Where pushes stand, by their ids: what their jobs say, and nothing else. */
export async function progressOfChanges(
  tx: Tx,
  accountId: string,
  changes: readonly Pick<Change, 'id'>[],
): Promise<Map<string, Progress>> {
  const rounds = await roundsOf(
    tx,
    accountId,
    changes.map(({ id }) => id),
  );
  const { items, stopped } = await progressOf(
    tx,
    accountId,
    rounds.flatMap(({ job_id }) => job_id ?? []),
  );
  return new Map(
    changes.map(({ id }) => {
      const own = rounds.filter((round) => round.change_id === id);
      const devices = new Map<string, DeviceProgress>();
      const sizes = new Map<string, number>();
      const stops = new Map<string, Stopped>();
      for (const { job_id: jobId, cause } of own) {
        if (jobId === null) continue;
        const ofJob = items.filter((item) => item.jobId === jobId);
        sizes.set(jobId, ofJob.length);
        for (const { serial, name, gwid, wave, status, reason } of ofJob) {
          if (serial === null) continue;
          devices.set(serial, { serial, name, gwid, wave, status: status as DeviceProgress['status'], reason, cause });
        }
        const stop = stopped.get(jobId);
        if (!stop) continue;
        const names = new Map(ofJob.map(({ seq, name }) => [seq, name]));
        const unwell = stop.unwell.map(({ seq, reason }) => ({ name: names.get(seq) ?? '', reason }));
        stops.set(jobId, { wave: stop.wave, decided: stop.decided, bad: stop.bad, unwell });
      }
      const all = [...devices.values()];
      const progress: Progress = {
        ...{ rounds: own, devices: all, sizes, stopped: stops },
        open: all.some(isOpen),
        reversed:
          own.some(({ cause }) => cause === 'reverse') &&
          !all.some((device) => device.status !== 'cancelled' && mayReverse(device)),
      };
      return [id, progress];
    }),
  );
}

/** Whether a device is still to have its turn, or has it now. */
export const isOpen = ({ status }: Pick<DeviceProgress, 'status'>): boolean => openStates.includes(status);

const badStates = ['rejected', 'failed', 'reverted'];

/** Whether a device is where a push that ended badly left it. */
export const endedBadly = ({ status }: Pick<DeviceProgress, 'status'>): boolean => badStates.includes(status);

/** Whether what a push gave a device can be taken back: what was tried in vain can be tried again. */
export function mayReverse(device: Pick<DeviceProgress, 'status' | 'cause'>): boolean {
  return device.cause !== 'reverse' || endedBadly(device);
}

/** Whether a device has again what it had before: it was brought there, or never got further. */
function isBack({ cause, status, reason }: DeviceProgress): boolean {
  if (cause !== 'reverse') return false;
  return status === 'applied' || status === 'succeeded' || (status === 'skipped' && reason === 'job.unchanged');
}

/** A push as lists show it. */
export function presentChange(change: Change, { devices, open, reversed }: Progress): Row {
  const forth = devices.filter((device) => !isBack(device));
  const count = (...states: DeviceProgress['status'][]) => forth.filter(({ status }) => states.includes(status)).length;
  const { id, layer_id, name, version, takes_off, created_at, created_by, start_at, plan } = change;
  return {
    ...{ id, template_id: layer_id, name, version, takes_off, created_by, plan, open, reversed },
    created_at: created_at.toISOString(),
    start_at: start_at?.toISOString() ?? null,
    sums: {
      total: devices.length,
      queued: count('queued'),
      waiting_offline: count('waiting_offline'),
      running: count('running'),
      applied: count('applied', 'succeeded'),
      rejected: count('rejected'),
      failed: count('failed'),
      reverted: count('reverted'),
      cancelled: count('cancelled'),
      skipped: count('skipped'),
      taken_back: devices.length - forth.length,
    },
  };
}
