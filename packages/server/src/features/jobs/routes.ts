import { jobs as contract, type DataOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { record } from '../logs/audit.ts';
import type { Jobs } from './service.ts';
import { isFinal, shownSums } from './status.ts';
import { findJob, itemsOf, type Job, listJobs, type Sums, sumsOf } from './store.ts';
import { isAbout } from './waves.ts';

type JobRow = DataOf<typeof contract.list>['list'][number];

/** The job drawer's endpoints. */
export function jobRoutes(jobs: Jobs): Route[] {
  return implement(contract, {
    async list({ tx, acting, input }) {
      const limit = input.limit ?? 10;
      const page = { offset: ((input.page ?? 1) - 1) * limit, limit, descending: input.order !== 'asc' };
      const { rows, total } = await listJobs(tx, acting.accountId, input, page);
      const sums = await sumsOf(
        tx,
        acting.accountId,
        rows.map((row) => row.id),
      );
      return { list: rows.map((row) => present(row, sums.get(row.id)!)), total };
    },
    async detail({ tx, acting, input }) {
      const job = await need(tx, acting.accountId, input.job_id);
      const sums = await sumsOf(tx, acting.accountId, [job.id]);
      const items = await itemsOf(tx, acting.accountId, job.id);
      return {
        ...present(job, sums.get(job.id)!),
        items: items.map((item) => ({
          seq: item.seq,
          serial: item.serial,
          gwid: item.gwid,
          name: item.name,
          status: item.status,
          reason: item.reason,
          cancellable: !isFinal(item.status) && !isAbout(item),
          started_at: item.started_at?.toISOString() ?? null,
          finished_at: item.finished_at?.toISOString() ?? null,
        })),
      };
    },
    async cancel({ tx, acting, input }) {
      const job = await need(tx, acting.accountId, input.job_id);
      const { cancelled, goingOn } = await jobs.cancel(tx, acting.accountId, job.id);
      const answer = { cancelled, going_on: goingOn.length };
      await record(tx, acting, {
        action: 'job.cancel',
        object: { type: 'job', id: job.id, name: job.type },
        after: answer,
        jobId: job.id,
      });
      return answer;
    },
  });
}

async function need(tx: Tx, accountId: string, id: string): Promise<Job> {
  const job = await findJob(tx, accountId, id);
  if (!job) throw new Failure('notFound');
  return job;
}

function present(job: Job, sums: Sums): JobRow {
  return {
    id: job.id,
    type: job.type,
    status: job.status,
    total: job.total,
    ...shownSums(sums),
    operator: job.operator,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}
