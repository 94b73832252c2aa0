import { readDocument } from '@yunxun/edge';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fullFacts, smallDocument } from '../../../edge/src/document/testing/documents.ts';
import { findSchemaErrors } from '../../src/features/configuration/schema/check.ts';
import { compile, withRevision } from '../../src/features/sdwan/compile/index.ts';
import { anyPlan } from '../../src/features/sdwan/compile/testing/plans.ts';

it('the edge agent accepts what any valid SD-WAN plan compiles to', () => {
  const facts = { ...fullFacts, abilities: { ...fullFacts.abilities, sdwan: true } };
  fc.assert(
    fc.property(anyPlan, (plan) => {
      for (const draft of compile(plan).drafts.values()) {
        const yunxun = { confirm_s: 60, sdwan: [withRevision(draft)] };
        expect(
          findSchemaErrors({ 'third-party': { yunxun } }, 'edge').filter(({ path }) => /sdwan/.test(path)),
        ).toEqual([]);
        const read = readDocument({ ...smallDocument(), 'third-party': { yunxun } }, facts);
        expect('refused' in read ? read.refused : []).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});
