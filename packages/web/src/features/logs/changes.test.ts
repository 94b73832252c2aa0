import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

test('only what differs is listed, nested fields by their path', () => {
  expect(
    changesOf({ remark: 'A', wan: { ip: '1.1.1.1', on: true } }, { remark: 'B', wan: { ip: '1.1.1.1', on: false } }),
  ).toEqual([
    { field: 'remark', before: 'A', after: 'B' },
    { field: 'wan.on', before: 'true', after: 'false' },
  ]);
});

test('something made or removed has a dash on the other side', () => {
  expect(changesOf(null, { remark: 'A', tags: ['x'] })).toEqual([
    { field: 'remark', before: '—', after: 'A' },
    { field: 'tags', before: '—', after: '["x"]' },
  ]);
});
