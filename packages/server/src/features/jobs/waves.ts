import type { JobItemStatus } from '@yunxun/contract';
import { isFinal } from './status.ts';

/** How the items of one wave stand. */
export interface WaveCount {
  wave: number;
  status: JobItemStatus;
  count: number;
}

/** Which wave may run: `stopped` when one before it did not end well, and what is left is not begun. */
export type Turn = { wave: number; stopped: boolean };

/**
 * How the waves of a job follow each other. Without a plan the next begins as soon as one item of each before has ended
 * well and none badly, and an item that waits for its device holds it up. With one, those that wait hold nobody up; the
 * next begins when the one before has rested, and not if more than so many of a hundred devices ended badly or are unwell.
 * None begins before a device has proved something: those of the first wave for which nothing was to be done, or that are
 * away when their turn comes, are followed there by others.
 */
export interface WavePlan {
  /** Seconds between the end of a wave and the look at how its devices are. */
  restSeconds: number;
  /** Percent, 0 to 100. */
  stopAbove: number;
  /** Devices that prove the change before others get it (missing: one); 0: nobody has to where nothing was to be done. */
  first?: number;
  /** Items wait until their network's maintenance window is open, where there is one; their wave is not over before. */
  windows?: boolean;
}

/** Why the rest of a job was not begun. */
export interface Stop {
  /** The wave that was not begun. */
  wave: number;
  /** Of so many devices that had their turn, so many ended badly, and so many are unwell. */
  decided: number;
  bad: number;
  unwell: { seq: number; reason: string }[];
}

const good: readonly JobItemStatus[] = ['applied', 'succeeded'];
/** What is left out stops nobody, but proves nothing either. */
const neutral: readonly JobItemStatus[] = ['skipped'];
const running: readonly JobItemStatus[] = ['queued', 'running'];
/** Reasons of items that wait because their device is about it: it has a time for that, and the next wave waits with them. */
const underWay: ReadonlySet<string> = new Set(['job.upgrading', 'job.restarting']);
/** The reason of items that wait for a device which has been told nothing. */
const away = 'job.offline';
/** Reasons of items whose device has been told, whether it has acted or not. */
const told: ReadonlySet<string> = new Set([...underWay, 'job.answer_lost']);

/** Reasons of items that only seem to wait: something is under way, on the device or on its way back. */
export const goingOn: readonly string[] = [...told, 'job.tool_upload', 'job.user_leaving'];

/** Whether a device may be about what an item asks of it: that cannot be taken back. */
export function isAbout({ status, reason }: Pick<EndedItem, 'status' | 'reason'>): boolean {
  return status === 'running' || (status === 'waiting_offline' && told.has(reason ?? ''));
}

/**
 * The wave whose turn it is: the first that has open items. It is stopped when an earlier wave has an item that did not
 * end well, or not one that did; within a wave everything goes on. Null when nothing is open.
 */
export function turnOf(counts: readonly WaveCount[], plan: WavePlan | null = null): Turn | null {
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

/** What a planned wave needs to know of an item of the waves before it. */
export interface EndedItem {
  seq: number;
  wave: number;
  status: JobItemStatus;
  reason?: string | null;
  finished_at: Date | null;
}

/**
 * What has to happen before a planned wave: nothing more, a rest until some time, or (null) the wait for any device to have
 * had its turn. `vacant`: the waves before have proved nothing and have nothing under way, since nothing was to be done
 * for their devices or these are away; others take their place (`successors`).
 */
export type Gate =
  | { open: true }
  | { open: false; until: Date | null; vacant?: false }
  | { open: false; vacant: 'left_out' | 'away' };

/** Whether a planned wave may be looked at. `items`: those of the job. */
export function gateOf(items: readonly EndedItem[], wave: number, { restSeconds, first }: WavePlan): Gate {
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
  if (proving.length === 0) return first === 0 ? { open: true } : { open: false, vacant: 'left_out' };
  // who may have been told decides by what becomes of it
  const untold = proving.every(({ status, reason }) => status === 'waiting_offline' && reason === away);
  return untold ? { open: false, vacant: 'away' } : { open: false, until: null };
}

/**
 * Who takes the place of waves that proved nothing: as many as were to be first, of those whose turn would be next and who
 * are there (`there`: their numbers). Where nothing was to be done for those before, somebody does, there or not; where
 * these are away, nobody but who is there.
 */
export function successors<T extends EndedItem>(
  items: readonly T[],
  wave: number,
  { first }: WavePlan,
  { vacant, there }: { vacant: 'left_out' | 'away'; there: ReadonlySet<number> },
): T[] {
  const next = itemsFrom(items, wave);
  const present = next.filter(({ seq }) => there.has(seq));
  const able = present.length > 0 || vacant === 'away' ? present : next;
  return able.slice(0, Math.max(1, first ?? 1));
}

/** Items from a wave on that have not begun, in the order of their turns. */
export function itemsFrom<T extends EndedItem>(items: readonly T[], wave: number): T[] {
  return items
    .filter((item) => item.wave >= wave && item.status === 'queued')
    .toSorted((a, b) => a.wave - b.wave || a.seq - b.seq);
}

/** Whether the waves before one were too bad for it to begin; `unwell`: of those that ended well. */
export function stopOf(
  items: readonly EndedItem[],
  wave: number,
  unwell: ReadonlyMap<number, string>,
  { stopAbove }: WavePlan,
): Stop | null {
  const before = items.filter((item) => item.wave < wave && isFinal(item.status));
  const decided = before.filter(({ status }) => !neutral.includes(status)).length;
  const bad = before.filter(({ status }) => !good.includes(status) && !neutral.includes(status)).length;
  if ((bad + unwell.size) * 100 <= stopAbove * decided) return null;
  return { wave, decided, bad, unwell: [...unwell].map(([seq, reason]) => ({ seq, reason })) };
}

/** Items that ended well in the waves before one: whose devices are looked at. */
export function wellBefore<T extends EndedItem>(items: readonly T[], wave: number): T[] {
  return items.filter((item) => item.wave < wave && good.includes(item.status));
}
