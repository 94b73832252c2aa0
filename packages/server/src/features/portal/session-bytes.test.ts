import { expect, it } from 'vitest';
import { allowance } from './session-bytes.ts';

it('limits the session at the next access point to the data that is left', () => {
  const used = { up_bytes: 300, down_bytes: 600 };
  expect([1000, 900, 500, 0].map((max_bytes) => allowance({ ...used, max_bytes }))).toEqual([100, 1, 1, 0]);
});
