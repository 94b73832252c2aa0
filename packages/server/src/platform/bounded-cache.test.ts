import { expect, it } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

it('keeps the entries that were used last, as many as its bound', () => {
  const cache = boundedCache<number>(3);
  for (const [at, key] of ['a', 'b', 'c'].entries()) cache.set(key, at);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
  cache.set('d', 4);
  expect([cache.size, cache.get('d'), cache.get('b')]).toEqual([3, 4, undefined]);
});
