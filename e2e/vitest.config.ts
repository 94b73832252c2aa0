import { defineConfig } from 'vitest/config';

/** Labs of network namespaces, and those of them that show pages in a browser. */
const labs = 'src/edge/**/*.test.ts';
const shown = ['src/edge/settings.test.ts', 'src/edge/shown.test.ts'];

/** Every wait of a lab has a bound of its own and says what it waited for: the test's own end is the last resort. */
const patient = { testTimeout: 900_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000, interval: 100 } } };

/**
 * A browser gives up whatever it is loading (ERR_NETWORK_CHANGED) when an interface of the machine comes or goes, as at
 * the beginning and the end of every lab: pages first, then labs, then one lab with a browser after the other.
 */
export default defineConfig({
  test: {
    // the gate runs on a machine that others may load; what fails twice has failed
    retry: process.env.CI ? 1 : 0,
    root: import.meta.dirname,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // a condition is looked at for as long as a slow machine may need
    expect: { poll: { timeout: 60_000, interval: 100 } },
    // each starts servers and browsers and waits for them half of its time: two keep a small machine busy, more only slow
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'pages', include: ['src/**/*.test.ts'], exclude: [labs], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        // a lab waits for nearly all of its time, and has a network of its own
        test: { name: 'labs', include: [labs], exclude: shown, maxWorkers: 4, sequence: { groupOrder: 1 }, ...patient },
      },
      {
        extends: true,
        test: { name: 'shown', include: shown, maxWorkers: 1, sequence: { groupOrder: 2 }, ...patient },
      },
    ],
  },
});
