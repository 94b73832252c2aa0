import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, withUuid } from '../compile/index.ts';
import { anyInput } from '../compile/testing/arbitraries.ts';
import { beside, files, present, readFacts, strangers } from './testing/facts.ts';

describe('what we emit, held against the published schemas', () => {
  it('has them at hand in CI', () => {
    if (process.env.CI === 'true' && existsSync(beside)) expect(present).toBe(true);
    expect(
      strangers({ a: 1 }, '', new Map([['', [{ types: ['object'], values: null, minimum: 0, maximum: 9 }]]])),
    ).toEqual(['.a (integer)']);
  });

  it.skipIf(!present).each(Object.keys(files) as (keyof typeof files)[])(
    '%s: every path exists there, with its type and in its limits',
    (platform) => {
      const facts = readFacts(files[platform]);
      expect(facts.size).toBeGreaterThan(300);
      const seen = new Set<string>();
      fc.assert(
        fc.property(anyInput, fc.integer({ min: 1, max: 2_147_483_647 }), (input, uuid) => {
          const capabilities = { ...input.device.capabilities, platform };
          const { document } = compile({ ...input, device: { ...input.device, capabilities } });
          seen.add(Object.keys(document).join());
          expect(strangers(withUuid(document, uuid), '', facts)).toEqual([]);
        }),
        { numRuns: 300 },
      );
      expect(seen.size).toBeGreaterThan(0);
    },
  );
});
