/** Tax in an amount that includes it, rounded half up; fen, percent. */
export function taxOf(fen: number, rate: number): number {
  const whole = 100 + rate;
  return Math.floor((2 * fen * rate + whole) / (2 * whole));
}
