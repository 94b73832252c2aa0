import { setTimeout as pause } from 'node:timers/promises';
import type { DemoWorld } from './story.ts';

const lookEveryMs = 1000;
const maxMs = 5 * 60_000;

/**
 * Waits until something holds; rejects when the demo ends.
 * @throws Error after some minutes
 */
export async function until({ stopping }: Pick<DemoWorld, 'stopping'>, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + maxMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('what the story waits for did not happen');
    await pause(lookEveryMs, undefined, { signal: stopping });
  }
}
