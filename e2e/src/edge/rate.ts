const tolerance = 0.15;

/** Repeats too slow transfers at most three times: a busy machine only slows. Returns the last. */
export async function steadyRate(wanted: number, measure: () => Promise<number>): Promise<number> {
  let rate = 0;
  for (let turn = 0; turn < 3; turn += 1) {
    rate = await measure();
    if (rate > wanted * (1 - tolerance)) break;
  }
  return rate;
}
