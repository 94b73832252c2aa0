import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds of delay from which work that is not urgent waits. */
const lateMs = 100;
const resolutionMs = 20;
const lookMs = 1000;

export interface EventLoopWatch {
  /** Compares the 90th percentile of the last second. */
  isLate(): boolean;
  stop(): void;
}

export function watchEventLoop(): EventLoopWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let late = false;
  const look = setInterval(() => {
    late = delays.percentile(90) / 1e6 - resolutionMs > lateMs;
    delays.reset();
  }, lookMs).unref();
  return {
    isLate: () => late,
    stop: () => {
      clearInterval(look);
      delays.disable();
    },
  };
}
