/** Stops what `after` scheduled; harmless when it ran already. */
export type Cancel = () => void;

/** Time as the agent sees it, so that tests can own it. All values in milliseconds. */
export interface Clock {
  /** Since the epoch. */
  now(): number;
  after(delay: number, run: () => void): Cancel;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, run) {
    const timer = setTimeout(run, delay);
    return () => clearTimeout(timer);
  },
};

/** Resolves after a delay of the given clock. */
export function wait(clock: Clock, delay: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay, resolve);
  });
}
