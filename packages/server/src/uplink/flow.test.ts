import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { burst, bytesPerSecond, Capacity, Flow, highWater, leastCost, lowWater, share } from './flow.ts';

let calls: string[];
let capacity: Capacity;
let flow: Flow;
const flowIn = (shared: Capacity) =>
  new Flow({
    capacity: shared,
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    now: () => Date.now(),
  });

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  capacity = new Capacity(3 * highWater);
  flow = flowIn(capacity);
});
afterEach(() => vi.useRealTimers());

describe('a socket', () => {
  test('is not read while too many bytes wait, and again when most of them are handled', () => {
    flow.wait(highWater);
    expect(calls).toEqual([]);
    flow.wait(leastCost);
    expect([calls, flow.paused]).toEqual([['pause'], true]);
    flow.done(highWater - lowWater);
    expect(calls).toEqual(['pause']);
    flow.done(2 * leastCost);
    expect([calls, flow.paused]).toEqual([['pause', 'resume'], false]);
  });

  test('is not read beyond its share while too much of all devices waits', () => {
    const others = new Flow({ capacity, pause: () => undefined, resume: () => undefined, now: () => Date.now() });
    flow.wait(share);
    others.wait(3 * highWater);
    expect(calls).toEqual([]);
    flow.wait(leastCost);
    expect(calls).toEqual(['pause']);
    flow.done(share / 2);
    expect(calls).toEqual(['pause']);
    flow.done(2 * leastCost);
    expect(calls).toEqual(['pause', 'resume']);
    flow.wait(share);
    expect(calls).toEqual(['pause', 'resume', 'pause']);
    others.done(3 * highWater);
    flow.done(leastCost);
    expect(calls).toEqual(['pause', 'resume', 'pause', 'resume']);
    flow.wait(highWater - 2 * share);
    expect(calls).toHaveLength(4);
  });

  test('of a device that sends more than its share rests until the debt is paid', () => {
    flow.read(burst + 3 * bytesPerSecond);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(2999);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('pauses longer when bytes already read add to the debt', () => {
    flow.read(burst + bytesPerSecond);
    flow.read(bytesPerSecond);
    vi.advanceTimersByTime(1500);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(500);
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('of a device that keeps to its share is always read', () => {
    for (let second = 0; second < 100; second += 1) {
      flow.read(bytesPerSecond);
      vi.advanceTimersByTime(1000);
    }
    flow.read(burst);
    expect(calls).toEqual([]);
  });

  test('full of tiny frames costs more than their bytes', () => {
    for (let sent = 0; sent <= burst / leastCost; sent += 1) flow.read(2);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(1000);
    for (let waiting = 0; waiting <= highWater / leastCost; waiting += 1) flow.wait(2);
    expect(calls).toEqual(['pause', 'resume', 'pause']);
    for (let waiting = 0; waiting <= highWater / leastCost; waiting += 1) flow.done(2 * leastCost);
    expect(flow.paused).toBe(false);
  });

  test('is read again only when neither stops it', () => {
    flow.wait(highWater + 1);
    flow.read(burst + bytesPerSecond);
    flow.done(highWater + 1);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(1000);
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('that is closing is read to its end', () => {
    flow.wait(highWater + 1);
    flow.read(2 * burst);
    flow.close();
    expect(calls).toEqual(['pause', 'resume']);
    flow.read(2 * burst);
    flow.wait(highWater);
    expect([calls, vi.getTimerCount()]).toEqual([['pause', 'resume'], 0]);
  });
});
