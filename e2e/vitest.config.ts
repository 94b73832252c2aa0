import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    // one after the other: each starts servers and browsers, and the machine is small
    maxWorkers: 1,
    fileParallelism: false,
  },
});
