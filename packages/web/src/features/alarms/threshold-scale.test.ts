import { expect, it } from 'vitest';
import { thresholdScale } from './threshold-scale.ts';

const latency = { min: 10, max: 10_000 };

it('leaves room above the line without the whole range of the bounds', () => {
  expect(thresholdScale(latency, [12, 40], 150)).toMatchObject({ min: 0, max: 300 });
  expect(thresholdScale(latency, [12, 900], 150)).toMatchObject({ min: 0, max: 1800 });
});

it('ends at the bounds, or at the highest report beyond them', () => {
  expect(thresholdScale({ min: 50, max: 100 }, [60], 95).max).toBe(100);
  expect(thresholdScale({ min: 1, max: 100 }, [130], 4).max).toBe(130);
});

it('moves its end with a line that was dragged to it', () => {
  const { max } = thresholdScale(latency, [12], 150);
  expect(thresholdScale(latency, [12], max).max).toBe(2 * max);
});
