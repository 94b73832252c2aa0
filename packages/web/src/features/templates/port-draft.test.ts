import { expect, test } from 'vitest';
import { isTaggedRight, newRule, ruleOf, rulesOf, typedRange } from './port-draft.ts';

const rule = { ports: '1-8,10', enabled: true, poe: false, vlan: 30, tagged: [20, 40] };

test('a rule is the same after it was a draft', () => {
  const all = [rule, { ...rule, tagged: null }, { ...rule, tagged: [] }];
  expect(rulesOf(all).map(ruleOf)).toEqual(all);
  expect(rulesOf(null)).toEqual([]);
});

test('a VLAN that is none becomes one that the server refuses', () => {
  expect(ruleOf({ ...newRule(), ports: '1', vlan: '' }).vlan).toBe(0);
  expect(ruleOf({ ...newRule(), ports: '1', trunk: 'some', tagged: '20, x' }).tagged).toEqual([20, 0]);
  expect(isTaggedRight({ trunk: 'some', tagged: '20, x', vlan: '1' })).toBe(false);
  expect(isTaggedRight({ trunk: 'some', tagged: '20, 1', vlan: '1' })).toBe(false);
  expect(isTaggedRight({ trunk: 'some', tagged: '20，30', vlan: '1' })).toBe(true);
});

test('port numbers may be typed with spaces and wide commas', () => {
  expect(typedRange('1-8， 10')).toBe('1-8,10');
});
