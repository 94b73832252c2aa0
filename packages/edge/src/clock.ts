export type Cancel = () => void;

/** For tests. Milliseconds. */
export interface Clock {
  /** Unix time. */
  now(): number;
  after(delay: number, run: () => void): Cancel;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, run) {
    const timer = setTimeout(run, delay);
    return () => clearTimeout(timer);
  },
};

export function wait(clock: Clock, delay: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay, resolve);
  });
}
