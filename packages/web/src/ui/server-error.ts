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
  const [serverError, setServerError] = useState({ text, value, byRule: shownError !== null });
  if (serverError.text !== text) setServerError({ text, value, byRule: shownError !== null });
  if (text === null) return null;
  if (value !== serverError.value) return shownError;
  return serverError.byRule && shownError === null ? null : text;
}
