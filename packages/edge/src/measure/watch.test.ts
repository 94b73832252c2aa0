import { describe, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import { Watch } from './watch.ts';

function fixture() {
  const clock = new ManualClock(1_700_000_000_000);
  const answers = new Map<string, number | null>();
  const probed: string[] = [];
  const reported: number[] = [];
  const ask = async (key: string) => {
    probed.push(key);
    return answers.get(key) ?? null;
  };
  const watch = new Watch({
    clock,
    run: async (_file, args) => {
      const ms = await ask(args.at(-1)!);
      return ms === null ? null : `64 bytes from 192.168.1.9: icmp_seq=1 ttl=64 time=${ms} ms`;
    },
    tcp: (address, port) => ask(`${address}:${port}`),
    changed: () => void reported.push(clock.now()),
  });
  const settle = (count: number) => expect.poll(() => probed.length).toBe(count);
  return { clock, answers, watch, settle, reported };
}

const camera = { id: 'c', address: '192.168.1.9', port: 554 };
const printer = { id: 'p', address: '10.0.0.9', port: null };
const declared = { revision: 'r1', targets: [camera, printer] };

describe('probes of peripheral devices', () => {
  it('call a target offline after three misses, and online after one answer', async () => {
    const { clock, answers, watch, settle } = fixture();
    answers.set('192.168.1.9:554', 2).set('10.0.0.9', 4);
    expect(watch.declare(declared)).toMatchObject({ error: 0 });
    await settle(2);
    await expect.poll(() => watch.state.targets.map(({ alive }) => alive)).toEqual([true, true]);
    answers.set('192.168.1.9:554', null);
    for (const [round, alive] of [
      [2, true],
      [3, true],
      [4, false],
    ] as const) {
      clock.advance(60_000);
      await settle(round * 2);
      await expect.poll(() => watch.state.targets[0]!.alive).toBe(alive);
    }
    answers.set('192.168.1.9:554', 3);
    clock.advance(60_000);
    await settle(10);
    await expect.poll(() => watch.state.targets[0]!.alive).toBe(true);
    expect(watch.state.targets[1]).toMatchObject({ id: 'p', alive: true, latency_ms: 4 });
  });

  it('decide about a new target within 60 s, and report that by themselves', async () => {
    const { clock, answers, watch, settle, reported } = fixture();
    const began = clock.now();
    watch.declare({ revision: 'r1', targets: [camera] });
    for (const probe of [1, 2, 3]) {
      await settle(probe);
      await expect.poll(() => clock.pending).toBe(2);
      clock.advance(5000);
    }
    expect(watch.state.targets[0]).toMatchObject({ alive: false });
    expect(reported).toHaveLength(1);
    expect(reported[0]! - began).toBeLessThan(60_000);
    answers.set('10.0.0.9', 4);
    watch.declare({ ...declared, revision: 'r2' });
    await settle(4);
    await expect.poll(() => watch.state.targets[1]!.alive).toBe(true);
    clock.advance(10_000);
    // the first target is not probed again
    expect(reported).toHaveLength(2);
    await settle(4);
  });

  it('keep what is known of a target when the list changes', async () => {
    const { answers, watch, settle } = fixture();
    answers.set('192.168.1.9:554', 2);
    watch.declare(declared);
    await settle(2);
    await expect.poll(() => watch.state.targets[0]!.alive).toBe(true);
    watch.declare({ revision: 'r2', targets: [camera] });
    expect(watch.state).toMatchObject({ revision: 'r2', targets: [{ id: 'c', alive: true }] });
  });

  it('refuse public addresses, the loopback and lists that are too long', () => {
    const { watch } = fixture();
    for (const address of ['203.0.113.1', '127.0.0.1', '169.254.0.1', 'camera', '192.168.1.1;reboot'])
      expect(watch.declare({ revision: 'r', targets: [{ ...camera, address }] })).toMatchObject({ error: 2 });
    const targets = Array.from({ length: 201 }, (_, at) => ({ ...camera, id: `${at}` }));
    expect(watch.declare({ revision: 'r', targets })).toMatchObject({ error: 2 });
    expect(watch.state).toEqual({ revision: null, targets: [] });
  });
});
