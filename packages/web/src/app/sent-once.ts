/**
 * Sends a write once, however often it is asked for before its answer has been taken over. What was asked for in between
 * makes it another: on, off, on again is three.
 */
export function sentOnce<I, A>(send: (input: I) => Promise<A>) {
  let last: { key: string; answer: Promise<A> } | null = null;
  return {
    send(input: I): Promise<A> {
      const key = JSON.stringify(input);
      if (last?.key !== key) last = { key, answer: send(input) };
      return last.answer;
    },
    /** The answer has been taken over. */
    taken(input: I): void {
      if (last?.key === JSON.stringify(input)) last = null;
    },
  };
}
