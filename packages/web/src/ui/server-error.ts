import { useState } from 'react';

/**
 * Returns the form's or server's error until the value changes, then the field's own until it is valid.
 * @param complaint the field's own error
 */
export function useServerError<V>(
  error: string | null | undefined,
  value: V,
  shownError: string | null = null,
): string | null {
  const text = error ?? null;
  const [said, setSaid] = useState({ text, value, byRule: shownError !== null });
  if (said.text !== text) setSaid({ text, value, byRule: shownError !== null });
  if (text === null) return null;
  if (value !== said.value) return shownError;
  return said.byRule && shownError === null ? null : text;
}
