import { expect, it } from 'vitest';
import { planOf, usualPlan } from './plan.ts';

it('a plan is what was typed, as numbers', () => {
  expect(planOf({ ...usualPlan, share: '30' })).toEqual({
    canary: 2,
    share: 30,
    rest: 60,
    stop_above: 5,
    windows: false,
  });
});

it('all at once is one wave that nothing stops', () => {
  expect(planOf({ ...usualPlan, way: 'at_once' })).toMatchObject({ canary: 0, share: 100, stop_above: 100 });
});
