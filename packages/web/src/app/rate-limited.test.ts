import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rateLimited } from './rate-limited.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs soon after the first call, and once a second in a storm', async () => {
  const runs: number[] = [];
  const began = Date.now();
  const call = rateLimited(async () => runs.push(Date.now() - began));
  for (let at = 0; at < 5000; at += 10) {
    call();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(runs[0]).toBeLessThanOrEqual(200);
  expect(runs.length).toBeGreaterThanOrEqual(4);
  expect(runs.length).toBeLessThanOrEqual(6);
  await vi.advanceTimersByTimeAsync(2000);
  expect(runs.at(-1)).toBeGreaterThanOrEqual(4990);
});

test('does not run while the last run goes on, and once more for calls meanwhile', async () => {
  let [running, max, runs] = [0, 0, 0];
  const call = rateLimited(async () => {
    running += 1;
    runs += 1;
    max = Math.max(max, running);
    await new Promise((resolve) => setTimeout(resolve, 700));
    running -= 1;
  });
  call();
  await vi.advanceTimersByTimeAsync(300);
  call();
  call();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([max, runs]).toEqual([1, 2]);
});

test('runs slow work more rarely, and a failure does not end it', async () => {
  let runs = 0;
  const call = rateLimited(async () => {
    runs += 1;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    throw new Error('offline');
  });
  for (let at = 0; at < 12_000; at += 100) {
    call();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(runs).toBe(3);
  call.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toBe(3);
});
