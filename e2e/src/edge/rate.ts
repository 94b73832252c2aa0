/** A measured rate is as wanted when it is off by less than this share. */
const tolerance = 0.15;

/**
 * Measures a limited rate: a machine that is busy with something else can only make a transfer slower, so one that was too
 * slow is measured again, three times at most. Gives the last one measured.
 */
export async function steadyRate(wanted: number, measure: () => Promise<number>): Promise<number> {
  let rate = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    rate = await measure();
    if (rate > wanted * (1 - tolerance)) break;
  }
  return rate;
}
