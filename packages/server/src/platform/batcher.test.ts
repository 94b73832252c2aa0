import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

function set(options: { max: number; waitMs: number; coming: number }, writeMs = 0) {
  const written: number[][] = [];
  const give = createBatcher<number, string>(
    async (values) => {
      written.push([...values]);
      if (writeMs > 0) await delay(writeMs);
      if (values.includes(13)) throw new Error('unlucky');
      return values.map((value) => `done ${value}`);
    },
    { ...options, coming: () => options.coming },
  );
  return { written, give };
}

it('writes a single value at once', async () => {
  const { written, give } = set({ max: 10, waitMs: 60_000, coming: 1 });
  expect(await give(1)).toBe('done 1');
  expect(written).toEqual([[1]]);
});

it('what comes together is written together, each with its own result, and never too many', async () => {
  const { written, give } = set({ max: 3, waitMs: 5, coming: 100 });
  const values = [1, 2, 3, 4, 5, 6, 7];
  expect(await Promise.all(values.map(give))).toEqual(values.map((value) => `done ${value}`));
  expect(written).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});

it('what comes while others are written is the next to be written', async () => {
  const { written, give } = set({ max: 10, waitMs: 1, coming: 1 }, 20);
  await Promise.all([1, 2, 3].map(give));
  expect(written).toEqual([[1], [2, 3]]);
});

it('rejects only the values of a failed batch', async () => {
  const { give } = set({ max: 2, waitMs: 1, coming: 100 });
  const results = await Promise.allSettled([12, 13, 14].map(give));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
