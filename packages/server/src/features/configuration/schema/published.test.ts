import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, withUuid } from '../compile/index.ts';
import { anyInput } from '../compile/testing/arbitraries.ts';
import { schemaLeaves } from '../compile/testing/leaves.ts';
import { schemaOf } from './check.ts';
import { published, shapeLeaves, strangers } from './testing/published.ts';

const platforms = Object.keys(published) as (keyof typeof published)[];

describe('what we emit, held against the published schemas', () => {
  it('names a path that they lack, another type, and a value outside its limits', () => {
    expect(strangers({ a: 1 }, {})).toEqual(['a']);
    expect(strangers({ unit: { name: 7 }, uuid: 1.5, radios: [{ 'tx-power': 31 }] }, published.ap)).toEqual([
      'unit.name',
      'uuid',
      'radios[].tx-power',
    ]);
  });

  it.each(platforms)('%s: every path of our own schema is looked up there, and no other', (platform) => {
    expect(shapeLeaves(published[platform]).toSorted()).toEqual(schemaLeaves(schemaOf(platform)).toSorted());
  });

  it.each(platforms)('%s: every path exists there, with its type and in its limits', (platform) => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: 2_147_483_647 }), (input, uuid) => {
        const capabilities = { ...input.device.capabilities, platform };
        const { document } = compile({ ...input, device: { ...input.device, capabilities } });
        expect(strangers(withUuid(document, uuid), published[platform])).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
