import type { PlanWan } from '../render/plan.ts';
import type { HostOptions } from './host-options.ts';
import type { Step } from './step.ts';
import { forgetConnections } from './wans.ts';

/** Milliseconds to count before connections are deleted; WAN changes must not wait longer. */
const losingTimeout = 3_000;

export interface RunnerOptions extends Pick<HostOptions, 'executor' | 'losing' | 'log'> {
  signal: AbortSignal;
  /** Returns false at start. */
  counts(): boolean;
}

export class StepRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Returns the first error that is not optional. `keepGoing`: performs the rest all the same. */
  async perform(steps: readonly Step[], keepGoing: boolean): Promise<string | null> {
    const { executor, losing, log, signal, counts } = this.#options;
    let failure: string | null = null;
    for (const step of steps) {
      if (signal.aborted && !keepGoing) return failure ?? 'the agent was stopped';
      if (step.do === 'disconnect' && counts()) await within(losingTimeout, losing?.());
      try {
        await executor.perform(step);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        log(text);
        if ((step.do === 'run' || step.do === 'port53') && step.optional) continue;
        failure ??= text;
        if (!keepGoing) return failure;
      }
    }
    return failure;
  }

  /** Deletes the tracked connections of WANs. */
  async forget(wans: readonly PlanWan[]): Promise<void> {
    if (wans.length === 0) return;
    await within(losingTimeout, this.#options.losing?.());
    await this.perform(wans.map(forgetConnections), true);
  }
}

async function within(time: number, work: Promise<void> | undefined): Promise<void> {
  if (work === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  await Promise.race([work.catch(() => {}), over]);
  clearTimeout(timer);
}
