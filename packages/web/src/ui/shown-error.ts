import { useState } from 'react';

/**
 * Returns the form's or server's error until the value changes, then the field's own until it is valid.
 * @param own the field's own error
 */
export function useShownError<V>(error: string | null | undefined, value: V, own: string | null = null): string | null {
  const text = error ?? null;
  const [given, setGiven] = useState({ text, value, byRule: own !== null });
  if (given.text !== text) setGiven({ text, value, byRule: own !== null });
  if (text === null) return null;
  if (value !== given.value) return own;
  return given.byRule && own === null ? null : text;
}
