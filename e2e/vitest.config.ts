import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { RunReport } from '../tools/run-report.ts';

/** With namespaces: labs, Debian machines (system), those with a browser (shown). */
const labs = 'src/{edge,system}/**/*.test.ts';
const shown = ['src/edge/settings.test.ts', 'src/edge/shown.test.ts'];

/** Waits have their own timeouts; the test's is a last resort. */
const patient = { testTimeout: 900_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000, interval: 100 } } };

const isLong = ({ moduleId }: TestSpecification) =>
  /\/src\/(accessibility|system\/|edge\/(cut-off|footprint))/.test(moduleId);

/** Starts the longest first: without history Vitest sorts by size, and `footprint` would run alone for minutes. */
class LongWaitsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * Chromium aborts loads (ERR_NETWORK_CHANGED) when labs change interfaces. As root, labs run in their own namespace
 * (scripts/test-system.mjs); otherwise pages come first. Labs with a browser run one by one.
 */
export default defineConfig({
  test: {
    reporters: ['default', new RunReport()],
    root: import.meta.dirname,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 100 } },
    maxWorkers: 2,
    sequence: { sequencer: LongWaitsFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['src/**/*.test.ts'],
          exclude: [labs],
          globalSetup: ['src/prepared-data.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // labs mostly wait, in their own network
        test: { name: 'labs', include: [labs], exclude: shown, maxWorkers: 3, sequence: { groupOrder: 1 }, ...patient },
      },
      {
        extends: true,
        test: { name: 'shown', include: shown, maxWorkers: 1, sequence: { groupOrder: 2 }, ...patient },
      },
    ],
  },
});
