import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../../tools/eventually.ts';
import { bySystem } from '../../platform/acting.ts';
import { findJob } from './store.ts';
import { inScope, set, stopAll } from './testing/fixture.ts';

afterEach(stopAll);

describe('jobs', () => {
  it('with a plan rest between waves, check device health, and stop before the remaining items', async () => {
    const fixture = await set(async () => ({ status: 'succeeded' }));
    const looked: string[][] = [];
    fixture.jobs.register('test', async () => ({ status: 'succeeded' }), {
      health: async (items) => {
        looked.push(items.map(({ name }) => name));
        return new Map(items.filter(({ name }) => name === 'b1').map(({ seq }) => [seq, 'job.unwell_offline']));
      },
    });
    await fixture.work();
    const planned = (stopAbove: number) =>
      inScope(fixture.database, fixture.accountId, (tx) =>
        fixture.jobs.create(tx, bySystem(fixture.accountId), {
          type: 'test',
          plan: { restSeconds: 1, stopAbove },
          items: ['a0', 'b1', 'c2', 'd3'].map((name, wave) => ({ name, serial: `0000000000${name}`, wave })),
        }),
      );
    const id = await planned(10);
    await fixture.settled(id, 'partial');
    expect((await fixture.items(id)).map(({ status, reason }) => [status, reason])).toEqual([
      ['succeeded', null],
      ['succeeded', null],
      ['cancelled', 'job.wave_stopped'],
      ['cancelled', 'job.wave_stopped'],
    ]);
    expect(looked).toEqual([['a0'], ['a0', 'b1']]);
    const job = await inScope(fixture.database, fixture.accountId, (tx) => findJob(tx, fixture.accountId, id));
    expect(job?.stopped).toEqual({ wave: 2, decided: 2, bad: 0, unwell: [{ seq: 1, reason: 'job.unwell_offline' }] });
    const other = await planned(50);
    await fixture.settled(other, 'succeeded');
    const [, second, third] = await fixture.items(other);
    expect(third!.started_at!.getTime() - second!.finished_at!.getTime()).toBeGreaterThanOrEqual(1000);
  });

  it('with a plan replace canaries that needed no change or are offline', async () => {
    const fixture = await set(async () => ({ status: 'succeeded' }));
    const home = new Set(['f5']);
    fixture.jobs.register(
      'test',
      async ({ name }) => {
        if (name === 'a0' || name === 'b1') return { status: 'skipped', reason: 'job.unchanged' };
        return home.has(name)
          ? { status: 'failed', reason: 'job.refused' }
          : { status: 'waiting_offline', reason: 'job.offline' };
      },
      { onlineItems: async (items) => new Set(items.filter(({ name }) => home.has(name)).map(({ seq }) => seq)) },
    );
    await fixture.work();
    const id = await inScope(fixture.database, fixture.accountId, (tx) =>
      fixture.jobs.create(tx, bySystem(fixture.accountId), {
        type: 'test',
        plan: { first: 1, restSeconds: 0, stopAbove: 10 },
        items: ['a0', 'b1', 'c2', 'd3', 'e4', 'f5', 'g6'].map((name, at) => {
          return { name, serial: `0000000000${name}`, wave: at === 0 ? 0 : 1 };
        }),
      }),
    );
    await fixture.settled(id, 'failed');
    const cancelled = [1, 'cancelled', 'job.wave_stopped'];
    expect((await fixture.items(id)).map(({ wave, status, reason }) => [wave, status, reason])).toEqual([
      [0, 'skipped', 'job.unchanged'],
      cancelled,
      cancelled,
      cancelled,
      cancelled,
      [0, 'failed', 'job.refused'],
      cancelled,
    ]);
  });

  it('with a plan start no other device while the canaries are offline, and check again', async () => {
    const fixture = await set(async () => ({ status: 'succeeded' }));
    const home = new Set<string>();
    fixture.jobs.register(
      'test',
      async ({ name }) =>
        home.has(name) ? { status: 'succeeded' } : { status: 'waiting_offline', reason: 'job.offline' },
      { onlineItems: async (items) => new Set(items.filter(({ name }) => home.has(name)).map(({ seq }) => seq)) },
    );
    await fixture.work();
    const id = await inScope(fixture.database, fixture.accountId, (tx) =>
      fixture.jobs.create(tx, bySystem(fixture.accountId), {
        type: 'test',
        plan: { first: 1, restSeconds: 0, stopAbove: 10 },
        items: ['a0', 'b1', 'c2'].map((name, at) => {
          return { name, serial: `0000000000${name}`, wave: at === 0 ? 0 : 1 };
        }),
      }),
    );
    const shown = async () => (await fixture.items(id)).map(({ wave, status }) => [wave, status]);
    const looks = async (what: string) => {
      const where = "where key = $1 and run_at > now() + interval '10 minutes'";
      return (await fixture.database.systemPool.query(`${what} ${where}`, [`job-at:${id}`])).rowCount;
    };
    const table = 'graphile_worker._private_jobs';
    await eventually(async () => expect(await looks(`select 1 from ${table}`)).toBe(1));
    expect(await shown()).toEqual([
      [0, 'waiting_offline'],
      [1, 'queued'],
      [1, 'queued'],
    ]);
    home.add('c2');
    expect(await looks(`update ${table} set run_at = now()`)).toBe(1);
    await eventually(async () =>
      expect(await shown()).toEqual([
        [0, 'waiting_offline'],
        [1, 'waiting_offline'],
        [0, 'succeeded'],
      ]),
    );
  });

  it('start at their start time', async () => {
    const fixture = await set(async () => ({ status: 'succeeded' }));
    await fixture.work();
    const startAt = new Date(Date.now() + 1500);
    const id = await inScope(fixture.database, fixture.accountId, (tx) =>
      fixture.jobs.create(tx, bySystem(fixture.accountId), { type: 'test', startAt, items: [{ name: 'a0' }] }),
    );
    await fixture.settled(id, 'succeeded');
    expect((await fixture.items(id))[0]!.started_at!.getTime()).toBeGreaterThanOrEqual(startAt.getTime());
  });

  it('that wait for their start time are queued until then, and delay the later waves', async () => {
    const window = { open: false };
    const fixture = await set(async ({ name }) =>
      name === 'a0' && !window.open
        ? { status: 'queued', reason: 'job.window', notBefore: new Date(Date.now() + 300) }
        : { status: 'succeeded' },
    );
    await fixture.work();
    const id = await inScope(fixture.database, fixture.accountId, (tx) =>
      fixture.jobs.create(tx, bySystem(fixture.accountId), {
        type: 'test',
        plan: { restSeconds: 0, stopAbove: 0 },
        items: [
          { name: 'a0', wave: 0 },
          { name: 'b1', wave: 0 },
          { name: 'c2', wave: 1 },
        ],
      }),
    );
    const shown = async () => (await fixture.items(id)).map(({ status, reason }) => [status, reason]);
    await eventually(async () =>
      expect(await shown()).toEqual([
        ['queued', 'job.window'],
        ['succeeded', null],
        ['queued', null],
      ]),
    );
    window.open = true;
    await fixture.settled(id, 'succeeded');
    const [first, , third] = await fixture.items(id);
    expect(third!.started_at!.getTime()).toBeGreaterThanOrEqual(first!.finished_at!.getTime());
  });

  it('of a stopped plan are cancelled while they wait for a device, unless the device executes them', async () => {
    const cancelled: string[] = [];
    const fixture = await set(async () => ({ status: 'succeeded' }));
    const waits: Record<string, string> = { b1: 'job.offline', c2: 'job.answer_lost' };
    fixture.jobs.register(
      'test',
      async ({ name }) =>
        waits[name] ? { status: 'waiting_offline', reason: waits[name] } : { status: 'failed', reason: 'job.refused' },
      { cancelled: async (_tx, items) => void cancelled.push(...items.map(({ name }) => name)) },
    );
    await fixture.work();
    const id = await inScope(fixture.database, fixture.accountId, (tx) =>
      fixture.jobs.create(tx, bySystem(fixture.accountId), {
        type: 'test',
        plan: { restSeconds: 0, stopAbove: 10 },
        items: ['a0', 'b1', 'c2', 'd3'].map((name, at) => {
          return { name, serial: `0000000000${name}`, wave: at === 3 ? 1 : 0 };
        }),
      }),
    );
    await fixture.settled(id, 'waiting_offline');
    await eventually(async () =>
      expect((await fixture.items(id)).map(({ status, reason }) => [status, reason])).toEqual([
        ['failed', 'job.refused'],
        ['cancelled', 'job.wave_stopped'],
        ['waiting_offline', 'job.answer_lost'],
        ['cancelled', 'job.wave_stopped'],
      ]),
    );
    expect(cancelled).toEqual(['b1']);
  });
});
