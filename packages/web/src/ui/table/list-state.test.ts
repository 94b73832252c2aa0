import { expect, test, vi } from 'vitest';
import { applyPreferences } from '../../app/preferences.ts';
import { readListState } from './list-state.ts';

const filters = [{ name: 'status', label: 'Status', options: [{ value: 'online', label: 'Online' }] }];

test('an empty address is the first page of ten', () => {
  expect(readListState({}, filters, [])).toEqual({ page: 1, limit: 10, filters: {}, odd: [] });
});

test('everything that may stand in the address is read', () => {
  const search = { page: '3', limit: '50', sort: 'remark', order: 'desc', keyword: '0012', status: 'online' };
  expect(readListState(search, filters, ['remark'])).toEqual({
    page: 3,
    limit: 50,
    sort: 'remark',
    order: 'desc',
    keyword: '0012',
    filters: { status: 'online' },
    odd: [],
  });
});

test.each<Record<string, string>>([
  { page: '-1' },
  { page: '1.5' },
  { page: 'abc' },
  { limit: '1000' },
  { sort: 'password' },
  { status: 'x' },
])('ignores mistyped parameters: %o', (search) => {
  expect(readListState(search, filters, ['remark'])).toEqual({ page: 1, limit: 10, filters: {}, odd: [] });
});

test('what a strict filter does not know is named, and does not become no filter in silence', () => {
  const strict = filters.map((filter) => ({ ...filter, strict: true }));
  expect(readListState({ status: 'x' }, strict, [])).toMatchObject({ filters: {}, odd: ['Status'] });
  expect(readListState({ status: 'online' }, strict, [])).toMatchObject({ filters: { status: 'online' }, odd: [] });
  expect(readListState({}, strict, []).odd).toEqual([]);
});

test('the page size that the person chose holds while the address says nothing else', () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  applyPreferences({ personalization: { density: 'compact', page_size: 50 }, time_zone: 'UTC' } as never);
  expect(readListState({}, filters, []).limit).toBe(50);
  expect(readListState({ limit: '10' }, filters, []).limit).toBe(10);
});
