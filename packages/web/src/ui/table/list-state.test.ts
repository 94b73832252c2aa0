import { expect, test } from 'vitest';
import { readListState } from './list-state.ts';

const filters = [{ name: 'status', label: 'Status', options: [{ value: 'online', label: 'Online' }] }];

test('an empty address is the first page of ten', () => {
  expect(readListState({}, filters, [])).toEqual({ page: 1, limit: 10, filters: {} });
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
  });
});

test.each<Record<string, string>>([
  { page: '-1' },
  { page: '1.5' },
  { page: 'abc' },
  { limit: '1000' },
  { sort: 'password' },
  { status: 'x' },
])('what somebody mistyped is as if it were not there: %o', (search) => {
  expect(readListState(search, filters, ['remark'])).toEqual({ page: 1, limit: 10, filters: {} });
});
