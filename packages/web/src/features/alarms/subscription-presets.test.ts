import { expect, it } from 'vitest';
import { presetOf, presets, presetValues } from './subscription-presets.ts';

it.each(presets)('%s is recognised by its values in any order of levels', (preset) => {
  const values = presetValues[preset];
  expect(presetOf({ ...values, levels: values.levels.toReversed() })).toBe(preset);
});

it('other values are no preset', () => {
  expect(presetOf({ ...presetValues.normal, digest_minutes: 1 })).toBeNull();
});
