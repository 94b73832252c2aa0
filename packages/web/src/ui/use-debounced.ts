import { useEffect, useState } from 'react';

/** Milliseconds, for search input. */
export const REST_MS = 300;

/** Returns the value once unchanged for `restMs`. */
export function useDebounced<T extends string | number>(word: T, restMs = REST_MS): T {
  const [debounced, setDebounced] = useState(word);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(word), restMs);
    return () => clearTimeout(timer);
  }, [word, restMs]);
  return debounced;
}
