import { defineConfig } from 'vitest/config';
import { pollTimeoutMs } from './tools/poll-timeout.ts';
import { RunReport } from './tools/run-report.ts';

/**
 * Files whose modules may stay loaded for the next one: each has a server and a database of its own, and what it mocks or
 * starts it takes back. Loading the whole program anew for every file took as long as the tests themselves.
 */
const together = [
  'packages/server/src/features/**/*.test.ts',
  'packages/server/src/telemetry/**/*.test.ts',
  'packages/server/test/conformance/**/*.test.ts',
  'packages/server/test/{api-guide,history,isolation,roles,tokens}.test.ts',
];
const never = ['**/dist/**', '**/node_modules/**', 'e2e/**', 'data/**', 'data-demo/**'];

export default defineConfig({
  test: {
    reporters: ['default', new RunReport()],
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['tools/property-seed.ts'],
    // a wait ends with its own message before its test does
    expect: { poll: { timeout: pollTimeoutMs, interval: 20 } },
    testTimeout: 3 * pollTimeoutMs,
    hookTimeout: 3 * pollTimeoutMs,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', exclude: [...never, ...together] } },
      { extends: true, test: { name: 'together', include: together, exclude: never, isolate: false } },
    ],
  },
});
