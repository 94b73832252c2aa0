import { expect } from 'vitest';
import { eventually } from '../../../../../../tools/eventually.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { bySystem } from '../../../platform/acting.ts';
import { createLocalBus } from '../../../platform/bus/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { prepareQueue, startWorkers } from '../../../platform/jobs/index.ts';
import { silentLog } from '../../../platform/log.ts';
import { createJobService, type JobRunner } from '../service.ts';
import { findJob, itemsOf } from '../store.ts';

const stops: (() => Promise<void>)[] = [];

export async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

export async function set(runner: JobRunner) {
  const db = await createTestDatabase();
  stops.push(db.drop);
  const { database } = db;
  stops.push(() => database.close());
  await prepareQueue(database);
  const jobs = createJobService({ database, bus: createLocalBus(() => undefined), clock: systemClock });
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
    eventually(async () =>
      expect((await inScope(database, accountId, (tx) => findJob(tx, accountId, id)))?.status).toBe(status),
    );
  const items = (id: string) => inScope(database, accountId, (tx) => itemsOf(tx, accountId, id));
  return { database, jobs, accountId, create, work, settled, items };
}

export function inScope<T>(database: Database, accountId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.withTenant({ accountId, userId: null, gwids: null }, work);
}
