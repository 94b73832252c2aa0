import { jobItemStatuses, jobStatuses } from '@yunxun/contract/jobs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Sums } from './status.ts';
import { isFinal, shownSums, statusFrom } from './status.ts';
import { inScope, set, stopAll } from './testing/fixture.ts';

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
        const { open, done, failed, skipped, queued, running, waiting_offline } = shownSums(given);
        expect(open + done + failed + skipped).toBe(totalOf(given));
        expect(queued + running + waiting_offline).toBe(open);
      }),
    );
  });
});

afterEach(stopAll);

describe('jobs', () => {
  it('run every item to its own end', async () => {
    const fixture = await set(async ({ name }) =>
      name === 'b1' ? { status: 'failed', reason: 'job.refused' } : { status: 'succeeded' },
    );
    await fixture.work();
    const id = await fixture.create(['a0', 'b1', 'c2']);
    await fixture.settled(id, 'partial');
    expect((await fixture.items(id)).map((item) => [item.status, item.reason])).toEqual([
      ['succeeded', null],
      ['failed', 'job.refused'],
      ['succeeded', null],
    ]);
  });

  it('succeed at once when there is nothing to do', async () => {
    const fixture = await set(async () => ({ status: 'succeeded' }));
    await fixture.settled(await fixture.create([]), 'succeeded');
  });

  it('wait for a device, and go on when it is back', async () => {
    let back = false;
    const fixture = await set(async () => ({ status: back ? 'succeeded' : 'waiting_offline' }));
    await fixture.work();
    const id = await fixture.create(['a0']);
    await fixture.settled(id, 'waiting_offline');
    back = true;
    await fixture.jobs.wake(fixture.accountId, '0000000000a0');
    await fixture.settled(id, 'succeeded');
  });

  it('do not wait for a device that came back while they found it offline', async () => {
    const came: { back?: () => Promise<void> } = {};
    let runs = 0;
    const fixture = await set(async () => {
      runs += 1;
      if (runs > 1) return { status: 'succeeded' };
      await came.back?.();
      return { status: 'waiting_offline' };
    });
    came.back = () => fixture.jobs.wake(fixture.accountId, '0000000000a0');
    await fixture.work();
    await fixture.settled(await fixture.create(['a0']), 'succeeded');
    expect(runs).toBe(2);
  });

  it('are cancelled where they have not started', async () => {
    const fixture = await set(async () => ({ status: 'waiting_offline' }));
    await fixture.work();
    const id = await fixture.create(['a0', 'b1']);
    await fixture.settled(id, 'waiting_offline');
    const cancelled = await inScope(fixture.database, fixture.accountId, (tx) =>
      fixture.jobs.cancel(tx, fixture.accountId, id),
    );
    expect(cancelled).toEqual({ cancelled: 2, goingOn: [] });
    await fixture.settled(id, 'cancelled');
  });

  it.each(['job.answer_lost', 'job.upgrading', 'job.restarting'])(
    'are not cancelled where a device may be about it (%s)',
    async (reason) => {
      let done = false;
      const fixture = await set(async ({ name }) =>
        done && name === 'a0'
          ? { status: 'succeeded' }
          : { status: 'waiting_offline', reason: name === 'a0' ? reason : null },
      );
      await fixture.work();
      const id = await fixture.create(['a0', 'b1']);
      await fixture.settled(id, 'waiting_offline');
      const { cancelled, goingOn } = await inScope(fixture.database, fixture.accountId, (tx) =>
        fixture.jobs.cancel(tx, fixture.accountId, id),
      );
      expect([cancelled, goingOn.map(({ name }) => name)]).toEqual([1, ['a0']]);
      done = true;
      await fixture.jobs.wake(fixture.accountId, '0000000000a0');
      await fixture.settled(id, 'partial');
      expect((await fixture.items(id)).map(({ status }) => status)).toEqual(['succeeded', 'cancelled']);
    },
  );

  it('end an item whose runner fails again and again, and no other', async () => {
    const runs: string[] = [];
    const fixture = await set(async ({ name }) => {
      runs.push(name);
      if (name === 'b1') throw new Error('a mistake of ours');
      return { status: 'succeeded' };
    });
    const id = await fixture.create(['a0', 'b1']);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await fixture.items(id)).map((item) => item.status)).not.toContain('failed');
      await expect(fixture.jobs.tasks.job({ accountId: fixture.accountId, jobId: id }, attempt)).rejects.toThrow(
        'mistake',
      );
    }
    await fixture.settled(id, 'partial');
    expect((await fixture.items(id)).map((item) => [item.status, item.reason])).toEqual([
      ['succeeded', null],
      ['failed', 'job.internal'],
    ]);
    // items run concurrently
    expect(runs.sort()).toEqual(['a0', 'b1', 'b1', 'b1', 'b1', 'b1']);
    await fixture.jobs.tasks.job({ accountId: fixture.accountId, jobId: id }, 6);
    expect(runs).toHaveLength(6);
  });

  it('leave what a stopping program interrupts to the next one', async () => {
    const fixture = await set(async () => {
      throw new Error('the program stops');
    });
    const id = await fixture.create(['a0']);
    fixture.jobs.stop();
    await expect(fixture.jobs.tasks.job({ accountId: fixture.accountId, jobId: id }, 9)).rejects.toThrow('stops');
    expect((await fixture.items(id)).map((item) => item.status)).toEqual(['running']);
  });

  it('get the attempt number from the queue', async () => {
    let failures = 0;
    const fixture = await set(async () => {
      failures += 1;
      throw new Error('a mistake of ours');
    });
    const id = await fixture.create(['a0']);
    await fixture.database.systemPool.query('update graphile_worker._private_jobs set attempts = 4');
    await fixture.work();
    await fixture.settled(id, 'failed');
    expect(failures).toBe(1);
  });

  it('never change a definite state: a cancelled item stays so when its time is over', async () => {
    const fixture = await set(async () => ({ status: 'waiting_offline' }));
    await fixture.work();
    const id = await fixture.create(['a0', 'b1']);
    await fixture.settled(id, 'waiting_offline');
    await fixture.database.systemPool.query("update job_item set started_at = now() - interval '31 days'");
    await fixture.database.systemPool.query(
      "update job_item set status = 'cancelled', finished_at = now() where name = 'b1'",
    );
    await fixture.jobs.tasks['job-expire']();
    await fixture.settled(id, 'failed');
    expect((await fixture.items(id)).map((item) => [item.status, item.reason])).toEqual([
      ['failed', 'job.expired'],
      ['cancelled', null],
    ]);
  });

  it('resume after their process died', async () => {
    let runs = 0;
    const fixture = await set(async () => {
      runs += 1;
      return { status: 'succeeded' };
    });
    const id = await fixture.create(['a0']);
    // locked by a worker without a session, as after a kill
    await fixture.database.systemPool.query(
      "update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now()",
    );
    await fixture.database.systemPool.query(
      "insert into job_queue.worker (worker_id, process_lock) values ('dead', 123456)",
    );
    await fixture.work();
    await fixture.settled(id, 'succeeded');
    expect(runs).toBe(1);
  });

  it('start and end in batches; the failure of one item affects no other', async () => {
    const fixture = await set(async () => ({ status: 'succeeded' }));
    const begun: number[] = [];
    fixture.jobs.register(
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
      { atOnce: 20, batchSize: 8 },
    );
    const id = await fixture.create(Array.from({ length: 20 }, (_, at) => String(at).padStart(2, '0')));
    await expect(fixture.jobs.tasks.job({ accountId: fixture.accountId, jobId: id })).rejects.toThrow('mistake');
    expect(begun).toEqual([8, 8, 4]);
    const left = (await fixture.items(id)).filter(({ status }) => status !== 'succeeded');
    expect(left.map(({ name, status }) => [name, status])).toEqual([['11', 'running']]);
  });
});
