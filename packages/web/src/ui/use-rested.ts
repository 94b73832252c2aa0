import { useEffect, useState } from 'react';

/** Milliseconds of rest before a typed word is searched. */
export const REST_MS = 300;

/** A typed word once nothing more has been typed for a moment. */
export function useRested(word: string): string {
  const [rested, setRested] = useState(word);
  useEffect(() => {
    const timer = setTimeout(() => setRested(word), REST_MS);
    return () => clearTimeout(timer);
  }, [word]);
  return rested;
}
