import { join } from 'node:path';
import { asRecord } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';
import { systemClock } from '../clock.ts';
import type { PlanSchedule } from '../render/plan.ts';
import { watchKernel } from './kernel-watch.ts';
import { dueMinute } from './schedule.ts';

/** Bytes that mean a leak: the agent exits and is restarted. */
const maxMemory = 250 * 1024 * 1024;
/** Milliseconds. */
const every = { minute: 30_000, drift: 30_000 } as const;

export interface PeriodicOptions {
  stateFolder: string;
  /** Null: no planned restart, or none that the owner of the host allows. */
  schedule(): PlanSchedule | null;
  renew(): void;
  drift(): void;
  heal(): Promise<void>;
  reboot(): void;
  leaked(): void;
  /** Writes; returns false if that failed. */
  attempt(write: () => void): boolean;
}

export function startPeriodic(options: PeriodicOptions): { stop(): void } {
  const { stateFolder, schedule, renew, drift, heal, reboot, leaked, attempt } = options;
  const lastFile = join(stateFolder, 'scheduled.json');
  const minutes = setInterval(() => {
    if (process.memoryUsage.rss() > maxMemory) leaked();
    renew();
    const planned = schedule();
    const due = planned === null ? null : dueMinute(planned, new Date());
    if (due === null || asRecord<{ at: string }>(readJson(lastFile)).at === due) return;
    // without this note the reboot would repeat endlessly
    if (attempt(() => writeDurably(lastFile, JSON.stringify({ at: due })))) reboot();
  }, every.minute);
  const looks = setInterval(drift, every.drift);
  const losses = watchKernel(systemClock, heal);
  return {
    stop() {
      clearInterval(minutes);
      clearInterval(looks);
      losses.stop();
    },
  };
}
