import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // the gate runs on a machine that others may load; what fails twice has failed
    retry: process.env.CI ? 1 : 0,
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // a condition is looked at for as long as a slow machine may need
    expect: { poll: { timeout: 60_000, interval: 100 } },
    // each starts servers and browsers and waits for them half of its time: two keep a small machine busy, more only slow
    maxWorkers: 2,
  },
});
