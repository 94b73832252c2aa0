import { defineConfig } from 'vitest/config';

/** Screenshots that need a gateway lab (root): `npx vitest run --config e2e/pictures.config.ts`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/edge/pictures.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 180_000, interval: 250 } },
  },
});
