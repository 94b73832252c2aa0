/** Returns few runs of a dear property for the gate, all for test:long. The few are the first of the same seed. */
export const runs = (few: number, all: number): { numRuns: number } => ({
  numRuns: process.env.LONG_TESTS === '1' ? all : few,
});
