import { expect, test } from 'vitest';
import { HandshakeLimiter, type Stage } from './handshake-limiter.ts';

function makeFixture(max: number) {
  const limiter = new HandshakeLimiter(max);
  const begun: string[] = [];
  const ends = new Map<string, { end(): void; fail(): void }>();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const put = (stage: Stage, name: string) =>
    limiter.run(stage, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, { end: () => resolve(name), fail: () => reject(new Error(name)) });
      });
    });
  const end = async (name: string) => {
    ends.get(name)?.end();
    await settled();
  };
  return { limiter, begun, ends, put, end, settled };
}

test('runs a limited number at once, and continues with the next', async () => {
  const { limiter, begun, ends, put, end, settled } = makeFixture(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => put('session', name));
  await settled();
  expect([begun, limiter.waiting]).toEqual([['a', 'b'], 2]);
  await end('b');
  expect([begun, limiter.waiting]).toEqual([['a', 'b', 'c'], 1]);
  ends.get('a')?.fail();
  await expect(all[0]).rejects.toThrow('a');
  await settled();
  expect([begun, limiter.waiting]).toEqual([['a', 'b', 'c', 'd'], 0]);
  await end('c');
  await end('d');
  const after = put('arrival', 'e');
  await settled();
  expect(begun.at(-1)).toBe('e');
  await end('e');
  expect(await after).toBe('e');
});

test('serves sessions first, but every fourth slot goes to new connections', async () => {
  const { begun, put, end, settled } = makeFixture(1);
  const all = [put('session', 's0'), put('arrival', 'a1'), put('arrival', 'a2')];
  all.push(...['s1', 's2', 's3', 's4', 's5'].map((name) => put('session', name)));
  await settled();
  for (const _ of all) await end(begun.at(-1) as string);
  expect(begun).toEqual(['s0', 's1', 's2', 's3', 'a1', 's4', 's5', 'a2']);
  await Promise.all(all);
});
