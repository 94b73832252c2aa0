const day = 86_400_000;

let lastDay = { number: Number.NaN, text: '' };

/** `YYYY-MM-DD`, UTC. */
export function dayOf(at: number): string {
  const number = Math.floor(at / day);
  if (number !== lastDay.number) lastDay = { number, text: new Date(at).toISOString().slice(0, 10) };
  return lastDay.text;
}

/** Rounds to zero: `real` refuses smaller values. */
export function real(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}
