import type { ScorePart } from '@yunxun/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { airNumbers } from '../../telemetry/read/air.ts';
import { type Measured, pointsOf, pulledBy, scales, scoreOf } from './score.ts';

const parts = Object.keys(scales) as ScorePart[];
const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const measured = fc.record(
  Object.fromEntries(parts.map((part) => [part, fc.option(number)])) as Record<ScorePart, fc.Arbitrary<number | null>>,
);
const part = fc.constantFrom(...parts);

describe('the radio health score', () => {
  it('weighs 100 in all', () => {
    expect(parts.reduce((sum, name) => sum + scales[name].weight, 0)).toBe(100);
  });

  it('gives 100 for what is good, 0 for what is bad, half of it in the middle', () => {
    for (const name of parts) {
      const { good, bad } = scales[name];
      expect([pointsOf(name, good), pointsOf(name, (good + bad) / 2), pointsOf(name, bad)]).toEqual([100, 50, 0]);
    }
  });

  it('is 0 to 100, and lies between its best and its worst part', () => {
    fc.assert(
      fc.property(measured, (values: Measured) => {
        const score = scoreOf(values);
        const points = parts.flatMap((name) => {
          const value = values[name];
          return typeof value === 'number' ? [pointsOf(name, value)] : [];
        });
        if (score === null) return airNumbers.every((name) => values[name] === null);
        return score >= Math.min(...points) - 1e-9 && score <= Math.max(...points) + 1e-9 && score >= 0 && score <= 100;
      }),
    );
  });

  it('never falls when a part gets better', () => {
    fc.assert(
      fc.property(measured, part, number, number, (values: Measured, name, a, b) => {
        const [worse, better] = pointsOf(name, a) <= pointsOf(name, b) ? [a, b] : [b, a];
        const before = scoreOf({ ...values, [name]: worse });
        const after = scoreOf({ ...values, [name]: better });
        return before === null ? after === null : after !== null && after >= before - 1e-9;
      }),
    );
  });

  it('keeps what the others are worth to each other when a part is not known', () => {
    fc.assert(
      fc.property(measured, part, (values: Measured, name) => {
        const without = { ...values, [name]: null };
        const rest = scoreOf(without);
        const value = values[name];
        if (rest === null || typeof value !== 'number') return true;
        // the total is the weighted sum of the part and the rest
        const known = parts.filter((one) => typeof without[one] === 'number');
        const weight = known.reduce((sum, one) => sum + scales[one].weight, 0);
        const own = scales[name].weight;
        const whole = (rest * weight + pointsOf(name, value) * own) / (weight + own);
        return Math.abs(scoreOf(values)! - whole) < 1e-6;
      }),
    );
  });

  it('is unknown while no radio has reported its channel, with or without access points', () => {
    expect(scoreOf({})).toBeNull();
    expect(scoreOf({ availability: 100 })).toBeNull();
    expect(scoreOf({ utilization: null, noise: null, availability: 0 })).toBeNull();
    expect(scoreOf({ utilization: 10 })).toBe(100);
  });

  it('names the part that costs most points by its weight', () => {
    expect(pulledBy({ utilization: 65, noise: -72 })).toBe('utilization');
    expect(pulledBy({ utilization: 45, noise: -72, availability: 0 })).toBe('noise');
    expect(pulledBy({ utilization: 10, weak: 0, availability: 0 })).toBeNull();
  });
});
