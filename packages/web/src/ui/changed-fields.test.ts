import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('a form sends what it changed, and nothing else', () => {
  const began = { role: 'operator', gwids: ['a', 'b'], plan: { at: '04:00', quiet: [] } };
  expect(changedFields({ ...began, plan: { quiet: [], at: '04:00' } }, began)).toEqual({});
  expect(changedFields({ ...began, gwids: null }, { ...began, gwids: null })).toEqual({});
  expect(changedFields({ ...began, gwids: ['a'] }, began)).toEqual({ gwids: ['a'] });
  expect(changedFields({ ...began, role: 'auditor' }, began)).toEqual({ role: 'auditor' });
});
