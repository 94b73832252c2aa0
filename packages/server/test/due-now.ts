import type { TestServer } from './server.ts';

/** Uses the program's role: the tables do not belong to the database owner. */
export const dueNow = ({ db }: TestServer) =>
  db.database.systemPool.query("update graphile_worker._private_jobs set run_at = now() where key like 'job-at:%'");
