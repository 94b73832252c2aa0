import { expect, test } from 'vitest';
import { Queue, type Waiting } from './queue.ts';

let last = 0;
const one = (serial: string, bytes: number | null): Waiting => {
  last += 1;
  const what = bytes === null ? null : Buffer.alloc(bytes);
  const event = {
    type: 'join',
    mac: 'm',
    bssid: 'b',
    ssid: null,
    band: 5,
    port: null,
    seconds: 1,
    tx: null,
    rx: null,
    connectedS: null,
  } as const;
  return {
    id: last,
    accountId: 'a',
    serial,
    epoch: 1,
    at: 0,
    frame: what,
    event: what ? null : event,
    upstream: [],
    settle: () => undefined,
  };
};
const ids = (list: readonly Waiting[]) => list.map(({ id }) => id);

test('gives back in the order of arrival, and sheds nothing while there is little', () => {
  const queue = new Queue({ softLimit: 1000, hardLimit: 2000 });
  const all = [one('x', 10), one('x', 10), one('y', null), one('x', 10)];
  for (const each of all) expect(queue.put(each)).toEqual([]);
  expect(queue.bytes).toBe(30);
  expect(ids(queue.take(3))).toEqual(ids(all.slice(0, 3)));
  expect(ids(queue.take(3))).toEqual(ids(all.slice(3)));
  expect([queue.size, queue.bytes]).toEqual([0, 0]);
});

test('keeps the newest report of a device when much waits, and every event', () => {
  const queue = new Queue({ softLimit: 100, hardLimit: 1000 });
  const [old, event, other, fresh] = [one('x', 60), one('x', null), one('y', 60), one('x', 60)];
  for (const each of [old, event, other]) expect(queue.put(each)).toEqual([]);
  expect(ids(queue.put(fresh))).toEqual([old.id]);
  expect(ids(queue.take(9))).toEqual(ids([event, other, fresh]));
});

test('is bounded: the oldest reports go when even those are too many', () => {
  const queue = new Queue({ softLimit: 100, hardLimit: 200 });
  const all = Array.from({ length: 10 }, (_, n) => one(`device ${n}`, 60));
  const shed = all.flatMap((each) => queue.put(each));
  expect(ids(shed)).toEqual(ids(all.slice(0, 7)));
  expect(queue.bytes).toBeLessThanOrEqual(200);
});
