import { jobItemStatuses, jobStatuses } from '@yunxun/contract/jobs';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { bySystem } from '../../platform/acting.ts';
import { createLocalBus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { prepareQueue, startWorkers } from '../../platform/jobs/index.ts';
import { silentLog } from '../../platform/log.ts';
import { createJobs, type JobRunner } from './service.ts';
import { isFinal, shownSums, statusFrom } from './status.ts';
import { findJob, itemsOf, type Sums } from './store.ts';

const sums: fc.Arbitrary<Sums> = fc.dictionary(fc.constantFrom(...jobItemStatuses), fc.nat({ max: 50 }));
const totalOf = (given: Sums) => Object.values(given).reduce((total, count) => total + count, 0);

describe('a job’s state', () => {
  it('is definite exactly when no item is open', () => {
    fc.assert(
      fc.property(sums, (given) => {
        const open = jobItemStatuses.some((status) => !isFinal(status) && (given[status] ?? 0) > 0);
        const status = statusFrom(given);
        expect(jobStatuses).toContain(status);
        expect(['queued', 'running', 'waiting_offline'].includes(status)).toBe(open);
      }),
    );
  });

  it('shows sums that add up to the total', () => {
    fc.assert(
      fc.property(sums, (given) => {
        const { open, done, failed, skipped } = shownSums(given);
        expect(open + done + failed + skipped).toBe(totalOf(given));
      }),
    );
  });
});

describe('jobs', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  async function set(runner: JobRunner) {
    const db = await createTestDatabase();
    stops.push(db.drop);
    const { database } = db;
    stops.push(() => database.close());
    await prepareQueue(database);
    const jobs = createJobs({ database, bus: createLocalBus(() => undefined), clock: systemClock });
    jobs.register('test', runner);
    const accountId = newId();
    await database.systemPool.query("insert into account (account_id, name, binding_code) values ($1, 'one', 'A')", [
      accountId,
    ]);
    const scope = { accountId, userId: null, gwids: null };
    const create = (names: string[]) =>
      database.withTenant(scope, (tx) =>
        jobs.create(tx, bySystem(accountId), {
          type: 'test',
          items: names.map((name) => ({ name, serial: `0000000000${name}` })),
        }),
      );
    const work = async () => {
      const workers = await startWorkers(database, jobs.tasks, [], silentLog());
      stops.push(() => workers.stop());
      return workers;
    };
    const settled = (id: string, status: string) =>
      vi.waitFor(
        async () =>
          expect((await inScope(database, accountId, (tx) => findJob(tx, accountId, id)))?.status).toBe(status),
        { timeout: 20_000, interval: 20 },
      );
    const items = (id: string) => inScope(database, accountId, (tx) => itemsOf(tx, accountId, id));
    return { database, jobs, accountId, create, work, settled, items };
  }

  function inScope<T>(database: Database, accountId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return database.withTenant({ accountId, userId: null, gwids: null }, work);
  }

  it('run every item to its own end', async () => {
    const house = await set(async ({ name }) =>
      name === 'b1' ? { status: 'failed', reason: 'job.refused' } : { status: 'succeeded' },
    );
    await house.work();
    const id = await house.create(['a0', 'b1', 'c2']);
    await house.settled(id, 'partial');
    expect((await house.items(id)).map((item) => [item.status, item.reason])).toEqual([
      ['succeeded', null],
      ['failed', 'job.refused'],
      ['succeeded', null],
    ]);
  });

  it('succeed at once when there is nothing to do', async () => {
    const house = await set(async () => ({ status: 'succeeded' }));
    await house.settled(await house.create([]), 'succeeded');
  });

  it('wait for a device, and go on when it is back', async () => {
    let back = false;
    const house = await set(async () => ({ status: back ? 'succeeded' : 'waiting_offline' }));
    await house.work();
    const id = await house.create(['a0']);
    await house.settled(id, 'waiting_offline');
    back = true;
    await house.jobs.wake(house.accountId, '0000000000a0');
    await house.settled(id, 'succeeded');
  });

  it('do not wait for a device that came back while they found it away', async () => {
    const came: { back?: () => Promise<void> } = {};
    let runs = 0;
    const house = await set(async () => {
      runs += 1;
      if (runs > 1) return { status: 'succeeded' };
      await came.back?.();
      return { status: 'waiting_offline' };
    });
    came.back = () => house.jobs.wake(house.accountId, '0000000000a0');
    await house.work();
    await house.settled(await house.create(['a0']), 'succeeded');
    expect(runs).toBe(2);
  });

  it('are cancelled where they have not started', async () => {
    const house = await set(async () => ({ status: 'waiting_offline' }));
    await house.work();
    const id = await house.create(['a0', 'b1']);
    await house.settled(id, 'waiting_offline');
    const cancelled = await inScope(house.database, house.accountId, (tx) =>
      house.jobs.cancel(tx, house.accountId, id),
    );
    expect(cancelled).toEqual({ cancelled: 2, goingOn: [] });
    await house.settled(id, 'cancelled');
  });

  it.each(['job.answer_lost', 'job.upgrading', 'job.restarting'])(
    'are not cancelled where a device may be about it (%s)',
    async (reason) => {
      let done = false;
      const house = await set(async ({ name }) =>
        done && name === 'a0'
          ? { status: 'succeeded' }
          : { status: 'waiting_offline', reason: name === 'a0' ? reason : null },
      );
      await house.work();
      const id = await house.create(['a0', 'b1']);
      await house.settled(id, 'waiting_offline');
      const { cancelled, goingOn } = await inScope(house.database, house.accountId, (tx) =>
        house.jobs.cancel(tx, house.accountId, id),
      );
      expect([cancelled, goingOn.map(({ name }) => name)]).toEqual([1, ['a0']]);
      done = true;
      await house.jobs.wake(house.accountId, '0000000000a0');
      await house.settled(id, 'partial');
      expect((await house.items(id)).map(({ status }) => status)).toEqual(['succeeded', 'cancelled']);
    },
  );

  it('end an item whose runner fails again and again, and no other', async () => {
    const runs: string[] = [];
    const house = await set(async ({ name }) => {
      runs.push(name);
      if (name === 'b1') throw new Error('a mistake of ours');
      return { status: 'succeeded' };
    });
    const id = await house.create(['a0', 'b1']);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await house.items(id)).map((item) => item.status)).not.toContain('failed');
      await expect(house.jobs.tasks.job({ accountId: house.accountId, jobId: id }, attempt)).rejects.toThrow('mistake');
    }
    await house.settled(id, 'partial');
    expect((await house.items(id)).map((item) => [item.status, item.reason])).toEqual([
      ['succeeded', null],
      ['failed', 'job.internal'],
    ]);
    // items of a job run side by side, so the first round has no order
    expect(runs.sort()).toEqual(['a0', 'b1', 'b1', 'b1', 'b1', 'b1']);
    // and there it stays
    await house.jobs.tasks.job({ accountId: house.accountId, jobId: id }, 6);
    expect(runs).toHaveLength(6);
  });

  it('leave what a stopping program interrupts to the next one', async () => {
    const house = await set(async () => {
      throw new Error('the program stops');
    });
    const id = await house.create(['a0']);
    house.jobs.stop();
    await expect(house.jobs.tasks.job({ accountId: house.accountId, jobId: id }, 9)).rejects.toThrow('stops');
    expect((await house.items(id)).map((item) => item.status)).toEqual(['running']);
  });

  it('are told which attempt it is, by the queue', async () => {
    let failures = 0;
    const house = await set(async () => {
      failures += 1;
      throw new Error('a mistake of ours');
    });
    const id = await house.create(['a0']);
    await house.database.systemPool.query('update graphile_worker._private_jobs set attempts = 4');
    await house.work();
    await house.settled(id, 'failed');
    expect(failures).toBe(1);
  });

  it('never change a definite state: a cancelled item stays so when its time is over', async () => {
    const house = await set(async () => ({ status: 'waiting_offline' }));
    await house.work();
    const id = await house.create(['a0', 'b1']);
    await house.settled(id, 'waiting_offline');
    await house.database.systemPool.query("update job_item set started_at = now() - interval '31 days'");
    await house.database.systemPool.query(
      "update job_item set status = 'cancelled', finished_at = now() where name = 'b1'",
    );
    await house.jobs.tasks['job-expire']();
    await house.settled(id, 'failed');
    expect((await house.items(id)).map((item) => [item.status, item.reason])).toEqual([
      ['failed', 'job.expired'],
      ['cancelled', null],
    ]);
  });

  it('are taken up again after their process died in the middle', async () => {
    let runs = 0;
    const house = await set(async () => {
      runs += 1;
      return { status: 'succeeded' };
    });
    const id = await house.create(['a0']);
    // what a killed process leaves: a queue entry locked by a worker whose session lock is gone
    await house.database.systemPool.query(
      "update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now()",
    );
    await house.database.systemPool.query(
      "insert into job_queue.worker (worker_id, process_lock) values ('dead', 123456)",
    );
    await house.work();
    await house.settled(id, 'succeeded');
    expect(runs).toBe(1);
  });

  it('with a plan rest between waves, look how the devices are, and stop with what is left untouched', async () => {
    const house = await set(async () => ({ status: 'succeeded' }));
    const looked: string[][] = [];
    house.jobs.register('test', async () => ({ status: 'succeeded' }), {
      health: async (items) => {
        looked.push(items.map(({ name }) => name));
        return new Map(items.filter(({ name }) => name === 'b1').map(({ seq }) => [seq, 'job.unwell_offline']));
      },
    });
    await house.work();
    const planned = (stopAbove: number) =>
      inScope(house.database, house.accountId, (tx) =>
        house.jobs.create(tx, bySystem(house.accountId), {
          type: 'test',
          plan: { restSeconds: 1, stopAbove },
          items: ['a0', 'b1', 'c2', 'd3'].map((name, wave) => ({ name, serial: `0000000000${name}`, wave })),
        }),
      );
    const id = await planned(10);
    await house.settled(id, 'partial');
    expect((await house.items(id)).map(({ status, reason }) => [status, reason])).toEqual([
      ['succeeded', null],
      ['succeeded', null],
      ['cancelled', 'job.wave_stopped'],
      ['cancelled', 'job.wave_stopped'],
    ]);
    expect(looked).toEqual([['a0'], ['a0', 'b1']]);
    const job = await inScope(house.database, house.accountId, (tx) => findJob(tx, house.accountId, id));
    expect(job?.stopped).toEqual({ wave: 2, decided: 2, bad: 0, unwell: [{ seq: 1, reason: 'job.unwell_offline' }] });
    const other = await planned(50);
    await house.settled(other, 'succeeded');
    const [, second, third] = await house.items(other);
    expect(third!.started_at!.getTime() - second!.finished_at!.getTime()).toBeGreaterThanOrEqual(1000);
  });

  it('with a plan have others prove what their first could not: who needed nothing, and who is away', async () => {
    const house = await set(async () => ({ status: 'succeeded' }));
    const home = new Set(['f5']);
    house.jobs.register(
      'test',
      async ({ name }) => {
        if (name === 'a0' || name === 'b1') return { status: 'skipped', reason: 'job.unchanged' };
        return home.has(name)
          ? { status: 'failed', reason: 'job.refused' }
          : { status: 'waiting_offline', reason: 'job.offline' };
      },
      { there: async (items) => new Set(items.filter(({ name }) => home.has(name)).map(({ seq }) => seq)) },
    );
    await house.work();
    const id = await inScope(house.database, house.accountId, (tx) =>
      house.jobs.create(tx, bySystem(house.accountId), {
        type: 'test',
        plan: { first: 1, restSeconds: 0, stopAbove: 10 },
        items: ['a0', 'b1', 'c2', 'd3', 'e4', 'f5', 'g6'].map((name, at) => {
          return { name, serial: `0000000000${name}`, wave: at === 0 ? 0 : 1 };
        }),
      }),
    );
    await house.settled(id, 'failed');
    const cancelled = [1, 'cancelled', 'job.wave_stopped'];
    expect((await house.items(id)).map(({ wave, status, reason }) => [wave, status, reason])).toEqual([
      [0, 'skipped', 'job.unchanged'],
      ...[cancelled, cancelled, cancelled, cancelled],
      [0, 'failed', 'job.refused'],
      cancelled,
    ]);
  });

  it('with a plan begin with nobody else while those that should prove it are away, and look again', async () => {
    const house = await set(async () => ({ status: 'succeeded' }));
    const home = new Set<string>();
    house.jobs.register(
      'test',
      async ({ name }) =>
        home.has(name) ? { status: 'succeeded' } : { status: 'waiting_offline', reason: 'job.offline' },
      { there: async (items) => new Set(items.filter(({ name }) => home.has(name)).map(({ seq }) => seq)) },
    );
    await house.work();
    const id = await inScope(house.database, house.accountId, (tx) =>
      house.jobs.create(tx, bySystem(house.accountId), {
        type: 'test',
        plan: { first: 1, restSeconds: 0, stopAbove: 10 },
        items: ['a0', 'b1', 'c2'].map((name, at) => {
          return { name, serial: `0000000000${name}`, wave: at === 0 ? 0 : 1 };
        }),
      }),
    );
    const shown = async () => (await house.items(id)).map(({ wave, status }) => [wave, status]);
    const looks = async (what: string) => {
      const where = "where key = $1 and run_at > now() + interval '10 minutes'";
      return (await house.database.systemPool.query(`${what} ${where}`, [`job-at:${id}`])).rowCount;
    };
    const table = 'graphile_worker._private_jobs';
    await vi.waitFor(async () => expect(await looks(`select 1 from ${table}`)).toBe(1), {
      timeout: 20_000,
      interval: 20,
    });
    expect(await shown()).toEqual([
      [0, 'waiting_offline'],
      [1, 'queued'],
      [1, 'queued'],
    ]);
    home.add('c2');
    expect(await looks(`update ${table} set run_at = now()`)).toBe(1);
    await vi.waitFor(
      async () =>
        expect(await shown()).toEqual([
          [0, 'waiting_offline'],
          [1, 'waiting_offline'],
          [0, 'succeeded'],
        ]),
      { timeout: 20_000, interval: 20 },
    );
  });

  it('begin when they are meant to', async () => {
    const house = await set(async () => ({ status: 'succeeded' }));
    await house.work();
    const startAt = new Date(Date.now() + 1500);
    const id = await inScope(house.database, house.accountId, (tx) =>
      house.jobs.create(tx, bySystem(house.accountId), { type: 'test', startAt, items: [{ name: 'a0' }] }),
    );
    await house.settled(id, 'succeeded');
    expect((await house.items(id))[0]!.started_at!.getTime()).toBeGreaterThanOrEqual(startAt.getTime());
  });

  it('that wait for their time are queued until then, and hold up the waves after them', async () => {
    const window = { open: false };
    const house = await set(async ({ name }) =>
      name === 'a0' && !window.open
        ? { status: 'queued', reason: 'job.window', notBefore: new Date(Date.now() + 300) }
        : { status: 'succeeded' },
    );
    await house.work();
    const id = await inScope(house.database, house.accountId, (tx) =>
      house.jobs.create(tx, bySystem(house.accountId), {
        type: 'test',
        plan: { restSeconds: 0, stopAbove: 0 },
        items: [
          { name: 'a0', wave: 0 },
          { name: 'b1', wave: 0 },
          { name: 'c2', wave: 1 },
        ],
      }),
    );
    const shown = async () => (await house.items(id)).map(({ status, reason }) => [status, reason]);
    await vi.waitFor(
      async () =>
        expect(await shown()).toEqual([
          ['queued', 'job.window'],
          ['succeeded', null],
          ['queued', null],
        ]),
      { timeout: 20_000, interval: 20 },
    );
    window.open = true;
    await house.settled(id, 'succeeded');
    const [first, , third] = await house.items(id);
    expect(third!.started_at!.getTime()).toBeGreaterThanOrEqual(first!.finished_at!.getTime());
  });

  it('of a plan that is stopped are given up where they waited for a device, but for what a device is about', async () => {
    const cancelled: string[] = [];
    const house = await set(async () => ({ status: 'succeeded' }));
    const waits: Record<string, string> = { b1: 'job.offline', c2: 'job.answer_lost' };
    house.jobs.register(
      'test',
      async ({ name }) =>
        waits[name] ? { status: 'waiting_offline', reason: waits[name] } : { status: 'failed', reason: 'job.refused' },
      { cancelled: async (_tx, items) => void cancelled.push(...items.map(({ name }) => name)) },
    );
    await house.work();
    const id = await inScope(house.database, house.accountId, (tx) =>
      house.jobs.create(tx, bySystem(house.accountId), {
        type: 'test',
        plan: { restSeconds: 0, stopAbove: 10 },
        items: ['a0', 'b1', 'c2', 'd3'].map((name, at) => {
          return { name, serial: `0000000000${name}`, wave: at === 3 ? 1 : 0 };
        }),
      }),
    );
    await house.settled(id, 'waiting_offline');
    await vi.waitFor(
      async () =>
        expect((await house.items(id)).map(({ status, reason }) => [status, reason])).toEqual([
          ['failed', 'job.refused'],
          ['cancelled', 'job.wave_stopped'],
          ['waiting_offline', 'job.answer_lost'],
          ['cancelled', 'job.wave_stopped'],
        ]),
      { timeout: 20_000, interval: 20 },
    );
    expect(cancelled).toEqual(['b1']);
  });

  it('begin together and end together, and a failure of one is nobody else’s', async () => {
    const house = await set(async () => ({ status: 'succeeded' }));
    const begun: number[] = [];
    house.jobs.register(
      'test',
      {
        begin: async (items) => {
          begun.push(items.length);
          return items.map(({ name }) => async () => {
            if (name === '11') throw new Error('a mistake of ours');
            return { status: 'succeeded' };
          });
        },
      },
      { atOnce: 20, together: 8 },
    );
    const id = await house.create(Array.from({ length: 20 }, (_, at) => String(at).padStart(2, '0')));
    await expect(house.jobs.tasks.job({ accountId: house.accountId, jobId: id })).rejects.toThrow('mistake');
    expect(begun).toEqual([8, 8, 4]);
    const left = (await house.items(id)).filter(({ status }) => status !== 'succeeded');
    expect(left.map(({ name, status }) => [name, status])).toEqual([['11', 'running']]);
  });
});
