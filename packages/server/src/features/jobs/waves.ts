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

const good: readonly JobItemStatus[] = ['applied', 'succeeded'];
/** What is left out stops nobody, but proves nothing either. */
const neutral: readonly JobItemStatus[] = ['skipped'];

/**
 * The wave whose turn it is: the first that has open items. It is stopped when an earlier wave has an item that did not
 * end well, or not one that did; within a wave everything goes on. Null when nothing is open.
 */
export function turnOf(counts: readonly WaveCount[]): Turn | null {
  const present = counts.filter(({ count }) => count > 0);
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

/** One first, then a tenth of all, then the rest: for so many items, in their order, the number of each one's wave. */
export function inWaves(total: number): number[] {
  const second = 1 + Math.ceil(total / 10);
  return Array.from({ length: total }, (_, at) => (at === 0 ? 0 : at < second ? 1 : 2));
}
