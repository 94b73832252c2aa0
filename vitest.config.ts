import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // the gate runs on a machine that others may load; what fails twice has failed
    retry: process.env.CI ? 1 : 0,
    exclude: ['**/dist/**', '**/node_modules/**', 'e2e/**', 'data/**', 'data-demo/**'],
    globalSetup: ['packages/server/test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
