import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { lockName } from './lock.ts';
import { inspectProcess } from './processes.ts';
import { bystander, zombie } from './testing/bystanders.ts';
import {
  type As,
  isAlive,
  isRoot,
  makeCheckout,
  query,
  type Running,
  sandbox,
  startProgram,
} from './testing/sandbox.ts';

const root = sandbox();
const systemDir = join(root, 'system');
const dataDir = join(root, 'data');
let program: string;

beforeAll(async () => {
  ({ program } = await makeCheckout(join(root, 'checkout')));
});

let words = 0;

async function startedWithRow(): Promise<Running> {
  const running = await startProgram(program, { dataDir, systemDir });
  await query(running.ready.owner, 'create table if not exists kept (word text)');
  await query(running.ready.owner, `insert into kept values ('acknowledged')`);
  words++;
  return running;
}

async function expectNextStart(): Promise<Running> {
  const next = await startProgram(program, { dataDir, systemDir });
  expect(await query(next.ready.owner, 'select count(*)::int as words from kept')).toEqual([{ words }]);
  return next;
}

async function killedCluster(): Promise<{ lock: string; owner: As }> {
  const running = await startedWithRow();
  await running.end('SIGKILL');
  process.kill(running.ready.pid, 'SIGKILL');
  await expect.poll(() => isAlive(running.ready.pid)).toBe(false);
  const { clusterDir } = running.ready;
  const { uid, gid } = statSync(clusterDir);
  return { lock: join(clusterDir, 'postmaster.pid'), owner: isRoot ? { uid, gid } : {} };
}

function nameInLock(lock: string, pid: number): void {
  const [, ...rest] = readFileSync(lock, 'utf8').split('\n');
  writeFileSync(lock, [pid, ...rest].join('\n'));
}

test('SIGTERM stops the server completely', async () => {
  const running = await startedWithRow();
  expect(await running.end('SIGTERM')).toBe(0);
  expect(isAlive(running.ready.pid)).toBe(false);
  await expectNextStart();
});

test('a program that ends without stopping takes its server along', async () => {
  const running = await startProgram(program, { dataDir, systemDir, crash: true });
  expect(await running.ended).toBe(1);
  await expect.poll(() => isAlive(running.ready.pid)).toBe(false);
});

test('kill -9 of the program leaves a server, which the next start ends; every committed row is there', async () => {
  const running = await startedWithRow();
  await running.end('SIGKILL');
  expect(isAlive(running.ready.pid)).toBe(true);
  const next = await expectNextStart();
  expect(isAlive(running.ready.pid)).toBe(false);
  expect(next.ready.pid).not.toBe(running.ready.pid);
});

test('kill -9 of program and server leaves a back end that computes; the next start ends it', async () => {
  const running = await startedWithRow();
  const client = new pg.Client(running.ready.owner);
  client.on('error', () => undefined);
  await client.connect();
  const busy = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  const computing = client.query('select count(*) from generate_series(1, 100000000000) n').catch(() => undefined);
  await expect
    .poll(() => query(running.ready.owner, `select state from pg_stat_activity where pid = ${busy}`))
    .toEqual([{ state: 'active' }]);
  await running.end('SIGKILL');
  process.kill(running.ready.pid, 'SIGKILL');
  await expect.poll(() => isAlive(running.ready.pid)).toBe(false);
  expect(isAlive(busy)).toBe(true);

  await expectNextStart();
  expect(isAlive(busy)).toBe(false);
  await computing;
});

describe('a lock file of PostgreSQL that', () => {
  test('names a dead process is passed', async () => {
    const { lock } = await killedCluster();
    expect(readFileSync(lock, 'utf8')).toMatch(/^\d+\n/);
    await expectNextStart();
  });

  test('names a zombie is passed', async () => {
    const { lock, owner } = await killedCluster();
    nameInLock(lock, await zombie(owner));
    await expectNextStart();
  });

  test('names another program, which got the number since, is passed, and that program lives on', async () => {
    const { lock, owner } = await killedCluster();
    const other = await bystander(owner);
    nameInLock(lock, other);
    const socketLock = `${readFileSync(lock, 'utf8').split('\n')[4]}/.s.PGSQL.5432.lock`;
    nameInLock(socketLock, other);
    await expectNextStart();
    expect(inspectProcess(other)?.command).toBe('sleep 600');
  });

  test.each(['', 'no number\n'])('holds %j is passed', async (text) => {
    const { lock } = await killedCluster();
    writeFileSync(lock, text);
    await expectNextStart();
  });
});

test('a lock or shared memory that is still going away is waited for', async () => {
  const { program: other, packageDir } = await makeCheckout(join(root, 'other'));
  const marks = join(root, 'marks');
  mkdirSync(marks);
  chmodSync(marks, 0o777);
  const postgres = join(packageDir, 'native', 'bin', 'postgres');
  renameSync(postgres, `${postgres}.real`);
  writeFileSync(
    postgres,
    `#!/bin/sh
if [ "$1" = -D ] && [ ! -e ${marks}/first ]; then
  touch ${marks}/first; echo 'FATAL:  lock file "postmaster.pid" already exists' >&2; exit 1
elif [ "$1" = -D ] && [ ! -e ${marks}/second ]; then
  touch ${marks}/second; echo 'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use' >&2; exit 1
fi
exec "$0.real" "$@"
`,
    { mode: 0o755 },
  );
  const running = await startProgram(other, { dataDir: join(root, 'waited'), systemDir });
  expect(existsSync(join(marks, 'second'))).toBe(true);
  expect(await query(running.ready.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of many programs started at once on the folder of a killed one, one wins and the others say why not', async () => {
  const running = await startedWithRow();
  await running.end('SIGKILL');
  expect(readFileSync(join(dataDir, lockName), 'utf8')).toContain(`"pid":${running.pid}`);
  const starts = await Promise.allSettled([1, 2, 3, 4].map(() => startProgram(program, { dataDir, systemDir })));
  const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const losers = starts.flatMap((start) => (start.status === 'rejected' ? [(start.reason as Error).message] : []));
  expect(winners).toHaveLength(1);
  for (const loser of losers)
    expect(loser).toContain(`Another Yunxun (process ${winners[0]!.pid}) runs on the data folder`);
  const kept = await query(winners[0]!.ready.owner, 'select count(*)::int as words from kept');
  expect(kept).toEqual([{ words }]);
});
