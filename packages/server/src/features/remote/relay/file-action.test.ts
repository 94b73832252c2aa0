import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FileAction } from './file-action.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = 29_000;

it('fails 30 s after its last byte, or after the last that a side took', () => {
  const settled = vi.fn();
  let unread = 10;
  const action = new FileAction(() => unread, settled);
  vi.advanceTimersByTime(wait);
  action.moved();
  vi.advanceTimersByTime(wait);
  unread = 5;
  vi.advanceTimersByTime(wait);
  expect(settled).not.toHaveBeenCalled();
  vi.advanceTimersByTime(wait);
  expect(settled).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason: 'failed' }));
  action.end();
  expect(settled).toHaveBeenCalledOnce();
});
