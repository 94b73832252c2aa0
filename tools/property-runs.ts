/** Runs of a dear property: a few in the gate, all in `npm run test:long`. The few are the first ones of the same seed. */
export const runs = (few: number, all: number): { numRuns: number } => ({
  numRuns: process.env.LONG_TESTS === '1' ? all : few,
});
