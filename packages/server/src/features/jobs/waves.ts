import type { JobItemStatus } from '@yunxun/contract';
import { isFinal } from './status.ts';

export interface WaveCount {
  wave: number;
  status: JobItemStatus;
  count: number;
}

/** `stopped`: an earlier wave failed. */
export type WaveTurn = { wave: number; stopped: boolean };

/**
 * Without a plan, a wave starts when each earlier one has a success and no failure. The next wave starts only after
 * every earlier item ends. With a plan, it starts after a rest, unless more than `stopAbove` percent failed or are
 * unhealthy. A canary must prove the change first; unchanged or offline canaries are replaced.
 */
export interface WavePlan {
  restSeconds: number;
  stopAbove: number;
  /** Canaries (missing: one); 0: earlier items needed no change. */
  first?: number;
  /** Items, and so their wave, wait for windows. */
  windows?: boolean;
  /** With `windows`: others wait for the night. */
  nights?: boolean;
}

export interface Stop {
  wave: number;
  decided: number;
  bad: number;
  unwell: { seq: number; reason: string }[];
}

const good: readonly JobItemStatus[] = ['applied', 'succeeded'];
/** Neither block nor prove. */
const neutral: readonly JobItemStatus[] = ['skipped'];
const running: readonly JobItemStatus[] = ['queued', 'running'];
/** The device executes; the next wave waits too. */
const underWay: ReadonlySet<string> = new Set(['job.upgrading', 'job.restarting']);
/** Waiting reason of unsent items. */
const away = 'job.offline';
/** Waiting reasons of sent items. */
const reported: ReadonlySet<string> = new Set([...underWay, 'job.answer_lost']);

/** Waiting reasons while something is in progress. */
export const inProgressReasons: readonly string[] = [...reported, 'job.tool_upload', 'job.user_leaving'];

/** Returns whether a device may execute the item: then it cannot be cancelled. */
export function isInProgress({ status, reason }: Pick<EndedItem, 'status' | 'reason'>): boolean {
  return status === 'running' || (status === 'waiting_offline' && reported.has(reason ?? ''));
}

/** Returns the first wave with open items. Without a plan, a failure or a wave without success stops it. */
export function nextWaveTurn(counts: readonly WaveCount[], plan: WavePlan | null = null): WaveTurn | null {
  const present = counts.filter(({ count }) => count > 0);
  if (plan) {
    const waves = present.filter(({ status }) => running.includes(status)).map(({ wave }) => wave);
    return waves.length === 0 ? null : { wave: Math.min(...waves), stopped: false };
  }
  const open = present.filter(({ status }) => !isFinal(status)).map(({ wave }) => wave);
  if (open.length === 0) return null;
  const wave = Math.min(...open);
  const before = present.filter((one) => one.wave < wave);
  const waves = [...new Set(before.map((one) => one.wave))];
  const passed = (which: number) => {
    const ended = before.filter((one) => one.wave === which);
    return (
      ended.some(({ status }) => good.includes(status)) &&
      ended.every(({ status }) => good.includes(status) || neutral.includes(status))
    );
  };
  return { wave, stopped: !waves.every(passed) };
}

export interface EndedItem {
  seq: number;
  wave: number;
  status: JobItemStatus;
  reason?: string | null;
  finished_at: Date | null;
}

/**
 * `until`: end of the rest; null: no result yet. `vacancy`: no canary gave a result; `promoteCanaries` chooses others.
 */
export type WaveStart =
  | { open: true }
  | { open: false; until: Date | null; vacancy?: false }
  | { open: false; vacancy: 'left_out' | 'away' };

export function decideWaveStart(
  items: readonly EndedItem[],
  wave: number,
  { restSeconds, first }: WavePlan,
): WaveStart {
  const begun = items.some((item) => item.wave === wave && item.status !== 'queued' && item.status !== 'cancelled');
  const before = items.filter((item) => item.wave < wave);
  if (begun || before.length === 0) return { open: true };
  if (before.some(({ status, reason }) => !isFinal(status) && underWay.has(reason ?? '')))
    return { open: false, until: null };
  const proving = before.filter(({ status }) => !neutral.includes(status));
  const decided = proving.filter(({ status }) => isFinal(status));
  if (decided.length > 0) {
    const last = Math.max(...decided.map(({ finished_at }) => finished_at?.getTime() ?? 0));
    return { open: false, until: new Date(last + restSeconds * 1000) };
  }
  if (proving.length === 0) return first === 0 ? { open: true } : { open: false, vacancy: 'left_out' };
  // possibly sent items decide by their result
  const allUnsent = proving.every(({ status, reason }) => status === 'waiting_offline' && reason === away);
  return allUnsent ? { open: false, vacancy: 'away' } : { open: false, until: null };
}

/** Returns the next online items, or offline ones if the earlier were skipped. */
export function promoteCanaries<T extends EndedItem>(
  items: readonly T[],
  wave: number,
  { first }: WavePlan,
  { vacancy, online }: { vacancy: 'left_out' | 'away'; online: ReadonlySet<number> },
): T[] {
  const next = itemsFrom(items, wave);
  const present = next.filter(({ seq }) => online.has(seq));
  const able = present.length > 0 || vacancy === 'away' ? present : next;
  return able.slice(0, Math.max(1, first ?? 1));
}

export function itemsFrom<T extends EndedItem>(items: readonly T[], wave: number): T[] {
  return items
    .filter((item) => item.wave >= wave && item.status === 'queued')
    .toSorted((a, b) => a.wave - b.wave || a.seq - b.seq);
}

/** Returns why to stop. `unhealthy`: devices among the successful. */
export function stopOf(
  items: readonly EndedItem[],
  wave: number,
  unhealthy: ReadonlyMap<number, string>,
  { stopAbove }: WavePlan,
): Stop | null {
  const before = items.filter((item) => item.wave < wave && isFinal(item.status));
  const decided = before.filter(({ status }) => !neutral.includes(status)).length;
  const bad = before.filter(({ status }) => !good.includes(status) && !neutral.includes(status)).length;
  if ((bad + unhealthy.size) * 100 <= stopAbove * decided) return null;
  return { wave, decided, bad, unwell: [...unhealthy].map(([seq, reason]) => ({ seq, reason })) };
}

export function succeededBefore<T extends EndedItem>(items: readonly T[], wave: number): T[] {
  return items.filter((item) => item.wave < wave && good.includes(item.status));
}
