import { failedJobs } from './failed.ts';
import { progressOf, readItemStates, readLatestItemStates } from './item-states.ts';
import { networkJobs } from './network-jobs.ts';
import { begunSince, findOpenWork, openItems, openOfType } from './open-work.ts';
import { jobRoutes } from './routes.ts';
import { jobSearch, type NetworkNames } from './search.ts';
import { createJobService, type JobDeps } from './service.ts';

export type {
  BatchRunner,
  HealthCheck,
  IsConnected,
  Job,
  JobItem,
  JobRunner,
  Jobs,
  Outcome,
  WavePlan,
} from './service.ts';

export function createJobs(deps: JobDeps & { networkNames: NetworkNames }) {
  const jobs = createJobService(deps);
  return { ...jobs, routes: () => jobRoutes(jobs, deps), search: jobSearch(deps.networkNames) };
}

export const jobStates = {
  ofJobs: readItemStates,
  progress: progressOf,
  latest: readLatestItemStates,
  failed: failedJobs,
  inNetwork: networkJobs,
};

export const openWork = { find: findOpenWork, begunSince, items: openItems, ofType: openOfType };
