import { expect, it } from 'vitest';
import { edits, makingOrActing } from '../../../tools/edits.ts';

const all = (['write', 'device'] as const).flatMap(edits);
const unguarded = all.filter(({ guard }) => guard === 'none');

it('asks each change of a kept thing for the version that was read, or for single fields', () => {
  expect(all.filter(({ guard }) => guard === 'version').length).toBeGreaterThan(5);
  expect(all.filter(({ guard }) => guard === 'fields').length).toBeGreaterThan(20);
  const wrong = unguarded.filter(({ verb }) => !makingOrActing.has(verb));
  expect(wrong.map(({ endpoint }) => endpoint.path)).toEqual([]);
});

it('excuses no word that needs no excuse', () => {
  expect([...makingOrActing].filter((word) => !unguarded.some(({ verb }) => verb === word))).toEqual([]);
});
