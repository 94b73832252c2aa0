import { jobs as contract, type DataOf } from '@yunxun/contract';
import { asRecord, asText } from '@yunxun/contract/device';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { record } from '../logs/index.ts';
import type { NetworkNames } from './search.ts';
import type { Jobs } from './service.ts';
import { isFinal, type Sums, shownSums } from './status.ts';
import { findJob, itemsOf, type Job, type JobPlaces, jobPlaces, listJobs, sumsOf } from './store.ts';
import { isInProgress } from './waves.ts';

type JobRow = DataOf<typeof contract.list>['list'][number];

export function jobRoutes(jobs: Jobs, { networkNames }: { networkNames: NetworkNames }): Route[] {
  async function present(tx: Tx, accountId: string, rows: readonly Job[]): Promise<JobRow[]> {
    const ids = rows.map(({ id }) => id);
    const [sums, places] = [await sumsOf(tx, accountId, ids), await jobPlaces(tx, accountId, ids)];
    const names = await networkNames(
      tx,
      accountId,
      [...places.values()].flatMap(({ gwid }) => gwid ?? []),
    );
    return rows.map((row) => rowOf(row, sums.get(row.id)!, places.get(row.id), names));
  }

  return implement(contract, {
    async list({ tx, acting, input }) {
      const limit = input.limit ?? 10;
      const sort = input.sort ?? 'created_at';
      const page = { offset: ((input.page ?? 1) - 1) * limit, limit, sort, descending: input.order !== 'asc' };
      const { rows, total } = await listJobs(tx, acting.accountId, input, page);
      return { list: await present(tx, acting.accountId, rows), total };
    },
    async detail({ tx, acting, input }) {
      const job = await need(tx, acting.accountId, input.job_id);
      const items = await itemsOf(tx, acting.accountId, job.id);
      const [row] = await present(tx, acting.accountId, [job]);
      return {
        ...row!,
        plan: job.plan && {
          rest_s: job.plan.restSeconds,
          stop_above: job.plan.stopAbove,
          windows: job.plan.windows ?? false,
        },
        stopped: job.stopped && { decided: job.stopped.decided, bad: job.stopped.bad, unwell: job.stopped.unwell },
        items: items.map((item) => ({
          seq: item.seq,
          serial: item.serial,
          gwid: item.gwid,
          name: item.name,
          status: item.status,
          wave: item.wave,
          reason: item.reason,
          cancellable: !isFinal(item.status) && !isInProgress(item),
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

function rowOf(job: Job, sums: Sums, places: JobPlaces | undefined, names: ReadonlyMap<string, string>): JobRow {
  return {
    about: places?.only || names.get(places?.gwid ?? '') || null,
    networks: places?.networks ?? 0,
    id: job.id,
    type: job.type,
    cause: asText(asRecord(job.params).cause, 64),
    status: job.status,
    total: job.total,
    ...shownSums(sums),
    operator: job.operator,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}
