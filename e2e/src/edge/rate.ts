/** Maximum relative error of a measured rate. */
const tolerance = 0.15;

/**
 * Measures a limited rate. A busy machine only slows a transfer, so a too slow one is repeated, at most three times.
 * Returns the last.
 */
export async function steadyRate(wanted: number, measure: () => Promise<number>): Promise<number> {
  let rate = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    rate = await measure();
    if (rate > wanted * (1 - tolerance)) break;
  }
  return rate;
}
