import { vi } from 'vitest';
import { pollTimeoutMs } from './poll-timeout.ts';

/** Retries `assert` until it no longer throws and returns its value. `vi.waitFor` ignores the limit of `expect.poll`. */
export const eventually = <T>(assert: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assert, { timeout: pollTimeoutMs, interval: 20 });
