import type { TestServer } from './server.ts';

/** Jobs that wait for a time run now. Their tables are the program's own, not the owner's of the database. */
export const dueNow = ({ db }: TestServer) =>
  db.database.systemPool.query("update graphile_worker._private_jobs set run_at = now() where key like 'job-at:%'");
