import { defineConfig } from 'vitest/config';
import { pollTimeoutMs } from './tools/poll-timeout.ts';
import { RunReport } from './tools/run-report.ts';

/**
 * Files with a process of their own, because they mock modules, replace globals, measure memory or end processes. All
 * others find the modules of the file before them: to load the whole program anew took as long as the tests themselves.
 */
const alone = [
  'packages/edge/src/agent/parts.test.ts',
  'packages/server/src/features/portal/new-method.test.ts',
  'packages/server/src/platform/{jobs,outgoing,postgres}/**/*.test.ts',
  'packages/server/src/features/alarms/new-kind.test.ts',
  'packages/server/src/start.test.ts',
  'packages/server/src/uplink/{channel,flow,receive}.test.ts',
  'packages/server/test/{cluster,database,remove-data,service}.test.ts',
  'packages/web/src/app/**/*.test.ts',
  'packages/web/src/features/{alarms/new-kind,alarms/labels,logs/time-range}.test.ts',
  'packages/web/src/ui/{format,table/list-state}.test.ts',
];
/** Long by nature: the gate leaves them to `npm run test:system`. */
const slow = '**/*.slow.test.ts';
const server = 'packages/server/**/*.test.ts';
const never = ['**/dist/**', '**/node_modules/**', 'e2e/**', 'data/**', 'data-demo/**', 'data-demo-empty/**'];

export default defineConfig({
  test: {
    reporters: ['default', new RunReport()],
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['tools/property-seed.ts'],
    // a wait ends with its own message before its test does
    expect: { poll: { timeout: pollTimeoutMs, interval: 20 } },
    testTimeout: 3 * pollTimeoutMs,
    hookTimeout: 3 * pollTimeoutMs,
    // tests wait a tenth of their time: three files keep two cores busy
    maxWorkers: 3,
    // one project after the other: a process serves files of one project only
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: alone, exclude: [...never, slow], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'together',
          exclude: [...never, ...alone, server, slow],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [server],
          exclude: [...never, ...alone, slow],
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: { name: 'slow', include: [slow], exclude: never, sequence: { groupOrder: 3 } },
      },
    ],
  },
});
