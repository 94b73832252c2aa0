import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { refuseOtherKey, rememberKey } from './key.ts';
import { kyselyOn } from './kysely.ts';
import { checkMigrations, migrate } from './migrate.ts';
import { ensureRoles, passwordFor, refuseBypass } from './roles.ts';

export { newId } from './id.ts';

/** A transaction that knows no table; a store sees its own through `tables`. */
export type Tx = Transaction<unknown>;

/** What row security lets a transaction see. */
export interface Scope {
  accountId: string;
  userId: string | null;
  /** The networks a hosting grant narrows to; null is every network of the account. */
  gwids: readonly string[] | null;
}

/** A feature's typed view of its own tables. */
export function tables<T>(tx: Tx | Kysely<unknown>): Kysely<T> {
  return tx as unknown as Kysely<T>;
}

const afterCommits = new WeakMap<object, (() => void)[]>();

/** Runs `work` once the transaction is committed, never when it is rolled back: for announcements, not for writes. */
export function afterCommit(tx: Tx, work: () => void): void {
  const list = afterCommits.get(tx);
  if (!list) throw new Error('afterCommit outside withTenant or withSystem');
  list.push(work);
}

export interface Database {
  /** Runs `work` as yunxun_app under row security for one account. */
  withTenant<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work` as yunxun_system: uplink, telemetry, jobs, sign-in. */
  withSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Single statements as yunxun_system. */
  system: Kysely<unknown>;
  systemPool: pg.Pool;
  /** How yunxun_system connects: for the thread that has a connection of its own. Can be posted to it. */
  systemConnection: pg.ClientConfig;
  appPool: pg.Pool;
  /** Whether the server answers. */
  ping(): Promise<void>;
  /** Whether its tables are those of this version. @throws an error with a sentence */
  checkMigrations(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** How the owner connects; migrations only. */
  owner: pg.ClientConfig;
  masterKey: Buffer;
  log: Log;
  poolSize?: number;
}

// bigint columns hold byte counts and sequence numbers, all below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Milliseconds that a request waits for a connection, and a statement of it may take: then it is answered 503. */
const connectWithin = 10_000;
const answerWithin = 30_000;

/** Connections of each pool; they are opened when they are needed. The system's are for devices, jobs, and the begin of every call. */
const poolSizes = { yunxun_app: 10, yunxun_system: 16 };

/** Serialises the starts of processes on one database. */
const lockKey = 0x79756e78;

/**
 * Migrates, makes the program's two roles, and opens their pools.
 * @throws an error whose message is a sentence when the master key is another database's, or when a role could bypass
 *   row security or cannot be made
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const owner = new pg.Client(options.owner);
  await owner.connect();
  try {
    // processes that start together take turns; the lock goes with the connection
    await owner.query('select pg_advisory_lock($1)', [lockKey]);
    // before anything is changed: the roles' passwords come from the key, and other processes use them
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
  return {
    withTenant: (scope, work) =>
      inTransaction(app, async (tx) => {
        const gwids = scope.gwids ? `{${scope.gwids.join(',')}}` : '';
        await sql`select set_config('yunxun.account', ${scope.accountId}, true), set_config('yunxun.gwids', ${gwids}, true)`.execute(
          tx,
        );
        return work(tx);
      }),
    withSystem: (work) => inTransaction(system, work),
    system,
    systemPool,
    systemConnection: connectionOf(options, 'yunxun_system'),
    appPool,
    async ping() {
      await systemPool.query('select 1');
    },
    checkMigrations: () => checkMigrations(systemPool),
    async close() {
      // the pools themselves: a query builder that was never used would leave its pool open
      await Promise.all([appPool, systemPool].filter((pool) => !pool.ending).map((pool) => pool.end()));
    },
  };
}

async function inTransaction<T>(db: Kysely<unknown>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const announcements: (() => void)[] = [];
  const result = await db.transaction().execute((tx) => {
    afterCommits.set(tx, announcements);
    return work(tx);
  });
  for (const announce of announcements) announce();
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
    // devices that come back all at once wait in line for the system's connections, and must not be turned away for it
    connectionTimeoutMillis: user === 'yunxun_app' ? connectWithin : answerWithin,
    // what a person asks for ends; what jobs do may take its time
    ...(user === 'yunxun_app' ? { statement_timeout: answerWithin } : {}),
  });
  // a connection that breaks is replaced by the pool; unheard, the event would end the process
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
