import { expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { createFairQueues, type Leave, type QueueRule } from './fair-queues.ts';

const clock = new ManualClock();
const never = new AbortController().signal;

function fixture(rule: QueueRule) {
  const queues = createFairQueues(clock);
  const order: string[] = [];
  const enter = async (key: string, as: Parameters<Leave>[0], gone = never, address = key) => {
    const leave = await queues.enter('network', rule, { key, address }, gone);
    if (leave) order.push(key);
    leave?.(as);
  };
  return { queues, order, enter };
}

it('serves a newcomer before the thousand that wait, and by turns those that had one and those that wait', async () => {
  const { order, enter } = fixture({ free: 1, windowMs: 60_000, everyMs: 5 });
  await enter('attacker', 'spent');
  for (let n = 0; n < 1000; n += 1) void enter('attacker', 'spent');
  void enter('early', 'spent');
  await enter('guest', 'spent');
  await expect.poll(() => order.length).toBeGreaterThan(3);
  expect(order.slice(0, 4)).toEqual(['attacker', 'guest', 'attacker', 'early']);
});

it.each([
  ['elsewhere', 'guest', 4],
  ['behind the same address', 'lobby', 40],
])('serves a guest %s while one address comes again with new devices', async (_, address, turns) => {
  const { order, enter } = fixture({ free: 1, windowMs: 60_000, everyMs: 5 });
  let isIn = false;
  await enter('attacker', 'spent', never, 'lobby');
  const attack = Array.from({ length: 20 }, async (_none, at) => {
    for (let n = 0; !isIn && n < 200; n += 1) await enter(`device ${at} ${n}`, 'spent', never, 'lobby');
  });
  const before = order.length;
  await enter('guest', 'spent', never, address);
  isIn = true;
  expect(order.indexOf('guest') - before).toBeLessThan(turns);
  await Promise.all(attack);
});

it('bounds what is served, whatever number of sources asks', async () => {
  const { order, enter } = fixture({ free: 10, windowMs: 60_000, everyMs: 50 });
  const began = performance.now();
  for (let n = 0; n < 300; n += 1) void enter(`source ${n}`, 'spent');
  await expect.poll(() => order.length).toBeGreaterThan(14);
  expect(order.length).toBeLessThanOrEqual(10 + 1 + (performance.now() - began) / 50);
});

it('lets those through at once that spend nothing, with all places taken', async () => {
  const { order, enter } = fixture({ free: 5, windowMs: 60_000, everyMs: 3_600_000 });
  await Promise.all(Array.from({ length: 200 }, (_none, n) => enter(`guest ${n}`, 'free')));
  expect(order.length).toBe(200);
});

it('passes a turn on that was not used', async () => {
  const { order, enter } = fixture({ free: 1, windowMs: 60_000, everyMs: 3_600_000 });
  await enter('a', 'spent');
  await Promise.all(['b', 'c', 'd'].map((source) => enter(source, 'unused')));
  expect(order.length).toBe(4);
});

it('frees a queue with its window, and forgets a request that is gone', async () => {
  const rule = { free: 1, windowMs: 60_000, everyMs: 3_600_000 };
  const { queues, order, enter } = fixture(rule);
  await enter('a', 'spent');
  await enter('b', 'spent');
  const gone = new AbortController();
  const waiting = enter('c', 'spent', gone.signal);
  gone.abort();
  await waiting;
  expect(order).toEqual(['a', 'b']);
  clock.advance(60_000);
  const leave: Leave | null = await queues.enter('network', rule, { key: 'd', address: 'd' }, never);
  leave?.('free');
  expect(leave).not.toBeNull();
});
