import { useEffect, useState } from 'react';

/** Milliseconds of rest before a typed word is searched. */
export const REST_MS = 300;

/** A typed word, or another plain value, once it has not changed for a moment. */
export function useRested<T extends string | number>(word: T): T {
  const [rested, setRested] = useState(word);
  useEffect(() => {
    const timer = setTimeout(() => setRested(word), REST_MS);
    return () => clearTimeout(timer);
  }, [word]);
  return rested;
}
