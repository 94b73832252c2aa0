import { useState } from 'react';

/**
 * What a form or the server said about a value, for as long as it is true: about another value the field's own rule has
 * the word, and what that rule said ends when it accepts the value after all.
 * @param complaint what the field's own rule says about the value now
 */
export function useSaid<V>(error: string | null | undefined, value: V, complaint: string | null = null): string | null {
  const text = error ?? null;
  const [said, setSaid] = useState({ text, value, byRule: complaint !== null });
  if (said.text !== text) setSaid({ text, value, byRule: complaint !== null });
  if (text === null) return null;
  if (value !== said.value) return complaint;
  return said.byRule && complaint === null ? null : text;
}
