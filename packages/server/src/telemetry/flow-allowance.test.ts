import { edgeFlowMaxRows } from '@yunxun/contract/device';
import { expect, it } from 'vitest';
import { createFlowAllowance } from './flow-allowance.ts';

const begin = Date.UTC(2026, 10, 22, 2);
const after = (minutes: number) => new Date(begin + minutes * 60_000);

it('takes whatever waited for half an hour at once, then a long message a minute, of each device for itself', () => {
  const allowance = createFlowAllowance();
  const take = (serial: string, rows: number, minutes: number) => allowance.takes(serial, rows, after(minutes));
  for (let turn = 0; turn < 30; turn += 1) expect(take('020000000001', edgeFlowMaxRows, 0)).toBe(true);
  expect(take('020000000001', edgeFlowMaxRows, 0)).toBe(false);
  expect(take('020000000002', edgeFlowMaxRows, 0)).toBe(true);
  expect(take('020000000001', edgeFlowMaxRows, 1)).toBe(true);
  expect(take('020000000001', edgeFlowMaxRows, 1.5)).toBe(false);
  expect(take('020000000001', edgeFlowMaxRows, 2)).toBe(true);
});

it('counts messages that hold next to nothing, and is not fooled by a clock that goes back', () => {
  const allowance = createFlowAllowance();
  let taken = 0;
  while (allowance.takes('020000000001', 0, after(10))) taken += 1;
  expect(taken).toBe(120);
  expect(allowance.takes('020000000001', 0, after(0))).toBe(false);
  expect(allowance.takes('020000000001', 0, after(0.3))).toBe(true);
});
