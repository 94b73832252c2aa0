import { expect, it } from 'vitest';
import { planOf, usualPlan, wavesOf } from './plan.ts';

it('waves are the first devices, then shares of all, and none is left out', () => {
  const plan = planOf(usualPlan);
  expect(plan).toEqual({ canary: 2, share: 25, rest: 60, stop_above: 5, windows: false });
  expect(wavesOf(50, plan)).toEqual([2, 13, 13, 13, 9]);
  expect(wavesOf(1, plan)).toEqual([1]);
  expect(wavesOf(0, plan)).toEqual([]);
  for (const total of [3, 17, 2000]) expect(wavesOf(total, plan).reduce((sum, n) => sum + n, 0)).toBe(total);
});

it('all at once is one wave that nothing stops', () => {
  const plan = planOf({ ...usualPlan, way: 'at_once' });
  expect(wavesOf(50, plan)).toEqual([50]);
  expect(plan.stop_above).toBe(100);
});
