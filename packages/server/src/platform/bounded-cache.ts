import { LRUCache } from 'lru-cache';

type Options<V extends object | string | number> = Pick<LRUCache.OptionsBase<string, V, unknown>, 'ttl' | 'memoMethod'>;

/**
 * Keeps the `max` entries that were used last. The library's own `max` reserves all their memory at once: empty caches
 * took 100 ms and 12 MB of a start.
 */
export function boundedCache<V extends object | string | number>(
  max: number,
  options: Options<V> = {},
): LRUCache<string, V> {
  return new LRUCache<string, V>({ ...options, maxSize: max, sizeCalculation: () => 1 });
}
