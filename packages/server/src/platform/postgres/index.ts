import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Binaries, findPackage, prepareBinaries } from './binaries.ts';
import { openCluster, ownerName } from './cluster.ts';
import { PostgresError } from './error.ts';
import { type Hold, holdFolder } from './lock.ts';
import type { LauncherLog } from './log.ts';
import { clearCluster } from './orphan.ts';
import { findPlace, openDataFolder, type Place } from './place.ts';
import { output, type Server, spawnServer, whenReady } from './server.ts';
import { serverSettings } from './settings.ts';
import { closeSocketDir, openSocketDir } from './socket.ts';
import { thisMachine } from './user.ts';

export { PostgresError } from './error.ts';

export interface PostgresOptions {
  /** Locked until `stop`: a second program is refused. */
  dataDir: string;
  log: LauncherLog;
  onLost?: (error: PostgresError) => void;
  /** If the server's user cannot reach root's folders. */
  systemDir?: string;
  /** Disables fsync, for tests. */
  throwaway?: boolean;
  /** Memory to size the server for, bytes. Default: the machine's. */
  memory?: number;
}

export interface Postgres {
  owner: pg.ClientConfig;
  readonly pid: number;
  clusterDir: string;
  stop(): Promise<void>;
}

const maxRestarts = 5;

/**
 * Creates the cluster first. Restarts an ended server.
 * @throws PostgresError
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const source = thisMachine();
  const packageDir = findPackage();
  const dataDir = openDataFolder(options.dataDir, source);
  const hold = holdFolder(dataDir);
  try {
    const systemDir = options.systemDir ?? '/var/lib/yunxun';
    const place = findPlace(dataDir, source, systemDir);
    const copyTo = place.user.switched ? systemDir : place.baseDir;
    const binaries = await prepareBinaries({ packageDir, user: place.user, copyTo });
    const password = await openCluster(place, binaries, !options.throwaway);
    const socketDir = openSocketDir(place);
    const owner: pg.ClientConfig = { host: socketDir, port: 5432, user: ownerName, password, database: 'yunxun' };
    return await supervise({ ...options, place, binaries, socketDir, owner, hold });
  } catch (error) {
    hold.release();
    throw error;
  }
}

interface Setup extends PostgresOptions {
  place: Place;
  binaries: Binaries;
  socketDir: string;
  owner: pg.ClientConfig;
  hold: Hold;
}

async function supervise(setup: Setup): Promise<Postgres> {
  const { log, place, hold, owner } = setup;
  let stopping = false;
  let server = await launch(setup, () => stopping);

  const watch = async (): Promise<void> => {
    const restarts: number[] = [];
    for (;;) {
      const how = await server.ended;
      if (stopping) return;
      log.error({ how, lines: server.lastWords() }, 'PostgreSQL ended by itself; starting it again');
      server = await again(restarts, new PostgresError(`PostgreSQL keeps ending (${how}). ${output(server)}`));
      if (stopping) return server.stop();
    }
  };

  const again = async (restarts: number[], last: Error): Promise<Server> => {
    restarts.push(Date.now());
    if (restarts.filter((at) => at > Date.now() - 60_000).length > maxRestarts) throw last;
    try {
      return await launch(setup, () => stopping);
    } catch (error) {
      if (stopping) throw error;
      log.error({ err: error }, 'PostgreSQL did not start again');
      return again(restarts, error as Error);
    }
  };
  const watching = watch().catch((error: PostgresError) => {
    if (stopping) return;
    log.error({ err: error }, 'PostgreSQL is lost');
    setup.onLost?.(error);
  });

  return {
    owner,
    clusterDir: place.clusterDir,
    get pid() {
      return server.pid;
    },
    async stop() {
      stopping = true;
      await server.stop();
      await watching;
      closeSocketDir(setup.socketDir, place);
      hold.release();
    },
  };
}

const passing = /lock file .* already exists|pre-existing shared memory block|lock file .* is empty/;
const passingMs = 30_000;

async function launch(setup: Setup, cancelled: () => boolean): Promise<Server> {
  const { place, binaries, socketDir, owner, log } = setup;
  const settings = {
    ...serverSettings(socketDir, setup.memory),
    ...(setup.throwaway ? { fsync: 'off', full_page_writes: 'off' } : {}),
  };
  const deadline = Date.now() + passingMs;
  for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
    await clearCluster(place, log);
    openSocketDir(place);
    const server = await spawnServer(place, binaries, settings, log);
    try {
      await whenReady(server, owner, cancelled, log);
      return server;
    } catch (error) {
      await server.stop();
      if (cancelled() || Date.now() > deadline || !passing.test(server.lastWords().join('\n'))) throw error;
      log.warn({ lines: server.lastWords() }, 'the remains of an earlier server are still going; trying again');
      await delay(pause);
    }
  }
}
