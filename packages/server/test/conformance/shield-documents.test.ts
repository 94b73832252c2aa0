import { type EdgeShield, shieldCategories } from '@yunxun/contract/device';
import { readDocument } from '@yunxun/edge';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fullFacts, smallDocument } from '../../../edge/src/document/testing/documents.ts';
import { findSchemaErrors } from '../../src/features/configuration/schema/check.ts';
import { compose } from '../../src/features/shield/compose.ts';
import { domainOfLink } from '../../src/features/shield/domains.ts';

const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);
const token = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
const list = fc.record({
  id: fc.uuid(),
  token,
  domains: fc.nat(),
  sha256: fc.option(sha256),
  category: fc.constantFrom(...shieldCategories.filter((category) => category !== 'own')),
});
const sources = fc.record({
  lists: fc.array(list, { maxLength: 15 }),
  own: fc.option(fc.record({ token, sha256, domains: fc.nat(3) })),
  allow: fc.array(fc.webUrl()).map((links) => links.flatMap((link) => domainOfLink(link) ?? [])),
});
const policy = fc.record({
  account_id: fc.uuid(),
  mode: fc.constantFrom('monitor', 'block'),
  redirect: fc.boolean(),
  categories: fc.subarray([...shieldCategories]),
});

it('the edge agent accepts the shield of any settings', () => {
  fc.assert(
    fc.property(policy, sources, (settings, from) => {
      const shield = compose(settings, from) as EdgeShield;
      const yunxun = { confirm_s: 60, shield };
      const errors = findSchemaErrors({ 'third-party': { yunxun } }, 'edge');
      expect(errors.filter(({ path }) => /shield/.test(path))).toEqual([]);
      const read = readDocument({ ...smallDocument(), 'third-party': { yunxun } }, fullFacts);
      expect('refused' in read ? read.refused : read.document.shield?.lists).toEqual(shield.lists);
      expect(compose({ ...settings, mode: 'off' }, from)).toBeNull();
    }),
    { numRuns: 200 },
  );
});
