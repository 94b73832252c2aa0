import { useState } from 'react';

/**
 * Returns the form's or server's error until the value changes, then the field's own until it is valid.
 * @param complaint the field's own error
 */
export function useServerError<V>(
  error: string | null | undefined,
  value: V,
  complaint: string | null = null,
): string | null {
  const text = error ?? null;
  const [said, setSaid] = useState({ text, value, byRule: complaint !== null });
  if (said.text !== text) setSaid({ text, value, byRule: complaint !== null });
  if (text === null) return null;
  if (value !== said.value) return complaint;
  return said.byRule && complaint === null ? null : text;
}
