import type { Kysely, Transaction, TransactionBuilder } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { refuseOtherKey, rememberKey } from './key.ts';
import { beginWith, kyselyOn } from './kysely.ts';
import { checkMigrations, migrate } from './migrate.ts';
import { ensureRoles, passwordFor, refuseBypass } from './roles.ts';

export { newId } from './id.ts';

/** Without table types; stores add theirs by `tables`. */
export type Tx = Transaction<unknown>;

export interface Scope {
  accountId: string;
  userId: string | null;
  /** Networks of a delegation; null: all of the account. */
  gwids: readonly string[] | null;
}

export function tables<T>(tx: Tx | Kysely<unknown>): Kysely<T> {
  return tx as unknown as Kysely<T>;
}

type Publish = (subject: string, message: unknown) => void;

interface AfterCommit {
  work: (() => void)[];
  publish: Publish;
}

const afterCommits = new WeakMap<object, AfterCommit>();

function afterCommitOf(tx: Tx): AfterCommit {
  const found = afterCommits.get(tx);
  if (!found) throw new Error('afterCommit outside withTenant or withSystem');
  return found;
}

/** Runs `work` after the commit: notifications, no writes. */
export function afterCommit(tx: Tx, work: () => void): void {
  afterCommitOf(tx).work.push(work);
}

/** Tells all processes after the commit, for stores that have no bus. */
export function announce(tx: Tx, subject: string, message: unknown): void {
  const { work, publish } = afterCommitOf(tx);
  work.push(() => publish(subject, message));
}

export interface Database {
  withTenant<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs as yunxun_system: uplink, telemetry, jobs, sign-in. */
  withSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  system: Kysely<unknown>;
  systemPool: pg.Pool;
  /** For a worker thread; structured-cloneable. */
  systemConnection: pg.ClientConfig;
  appPool: pg.Pool;
  announceBy(publish: Publish): void;
  ping(): Promise<void>;
  /** @throws an error with a sentence for tables of another version */
  checkMigrations(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  owner: pg.ClientConfig;
  masterKey: Buffer;
  log: Log;
  poolSize?: number;
}

// all below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Milliseconds for connection and statement; then 503. */
const connectWithin = 10_000;
const answerWithin = 30_000;

/** The system pool serves devices, jobs and authentication. */
const poolSizes = { yunxun_app: 10, yunxun_system: 16 };

/** Milliseconds. A new connection costs a fork and a cold catalog cache, 0.2 s of CPU; pages ask for ten at once. */
const idleFor = 10 * 60_000;

/** Serialises starts. */
const lockKey = 0x79756e78;

/**
 * Migrates, creates roles, opens pools.
 * @throws an error with a sentence for a wrong master key, or a role that bypasses row security or cannot be created
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const owner = new pg.Client(options.owner);
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [lockKey]);
    // first: role passwords derive from the key
    await refuseOtherKey(owner, options.masterKey);
    await ensureRoles(owner, options.masterKey, options.owner);
    await migrate(owner, options.log);
    await rememberKey(owner, options.masterKey);
  } finally {
    await owner.end();
  }
  const appPool = openPool(options, 'yunxun_app');
  const systemPool = openPool(options, 'yunxun_system');
  try {
    await refuseBypass(appPool);
    await refuseBypass(systemPool);
  } catch (error) {
    await Promise.all([appPool.end(), systemPool.end()]);
    throw error;
  }
  const app = kyselyOn(appPool);
  const system = kyselyOn(systemPool);
  let publishes: Publish = () => undefined;
  const publish: Publish = (subject, message) => publishes(subject, message);
  return {
    withTenant: (scope, work) =>
      inTransaction(
        beginWith(app, {
          'yunxun.account': scope.accountId,
          'yunxun.gwids': scope.gwids ? `{${scope.gwids.join(',')}}` : '',
        }),
        publish,
        work,
      ),
    withSystem: (work) => inTransaction(system.transaction(), publish, work),
    system,
    systemPool,
    systemConnection: connectionOf(options, 'yunxun_system'),
    appPool,
    announceBy(to) {
      publishes = to;
    },
    async ping() {
      await systemPool.query('select 1');
    },
    checkMigrations: () => checkMigrations(systemPool),
    async close() {
      // destroying an unused Kysely leaves its pool open
      await Promise.all([appPool, systemPool].filter((pool) => !pool.ending).map((pool) => pool.end()));
    },
  };
}

async function inTransaction<T>(
  transaction: Pick<TransactionBuilder<unknown>, 'execute'>,
  publish: Publish,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const after: AfterCommit = { work: [], publish };
  const result = await transaction.execute((tx) => {
    afterCommits.set(tx, after);
    return work(tx);
  });
  for (const done of after.work) done();
  return result;
}

function connectionOf({ owner, masterKey }: DatabaseOptions, user: 'yunxun_app' | 'yunxun_system'): pg.ClientConfig {
  const password = passwordFor(masterKey, user);
  return owner.connectionString
    ? { connectionString: withUser(owner.connectionString, user, password) }
    : { ...owner, user, password };
}

function openPool(options: DatabaseOptions, user: 'yunxun_app' | 'yunxun_system'): pg.Pool {
  const { log } = options;
  const pool = new pg.Pool({
    ...connectionOf(options, user),
    max: options.poolSize ?? poolSizes[user],
    application_name: user,
    idleTimeoutMillis: idleFor,
    // after a mass reconnect sessions must queue, not fail
    connectionTimeoutMillis: user === 'yunxun_app' ? connectWithin : answerWithin,
    // requests time out, jobs do not
    ...(user === 'yunxun_app' ? { statement_timeout: answerWithin } : {}),
  });
  // an unhandled error event ends the process
  const lost = (error: Error) => log.warn({ reason: error.message }, 'database connection lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

function withUser(connectionString: string, user: string, password: string): string {
  const url = new URL(connectionString);
  url.username = user;
  url.password = password;
  return url.toString();
}
