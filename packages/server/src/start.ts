import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { newSetupToken } from './features/installation/settings.ts';
import { type Config, ConfigError } from './platform/config.ts';
import { loadMasterKey } from './platform/crypto/index.ts';
import { type Database, openDatabase } from './platform/database/index.ts';
import { createLog, type Log, readLevel } from './platform/log.ts';
import { startPostgres } from './platform/postgres/index.ts';
import { type Program, startProgram } from './program.ts';

/** The built console, beside this bundle. */
const webDir = join(import.meta.dirname, '../../web/dist');
/** The built edge agent. */
const edgeDir = join(import.meta.dirname, '../../edge/dist');

/** A program with what it runs on. */
export interface Started extends Program {
  database: Database;
  log: Log;
}

/** Starts everything a process needs, database included, and prints where the console is. */
export async function start(config: Config): Promise<Started> {
  const log = createLog(readLevel(process.env.LOG_LEVEL));
  // first, since it makes the data folder so that the database's user can pass through it
  const postgres = config.databaseUrl
    ? null
    : await startPostgres({ dataDir: config.dataDir, log, onLost: endWithout });
  let database: Database | undefined;
  let program: Program | undefined;
  const stop = async () => {
    try {
      // a running program closes its database itself
      await (program ? program.stop() : database?.close());
    } finally {
      await postgres?.stop();
    }
  };
  try {
    const masterKey = loadMasterKey(join(config.dataDir, 'master.key'));
    const owner = postgres ? postgres.owner : { connectionString: config.databaseUrl! };
    database = await openDatabase({ owner, masterKey, log });
    program = await startProgram({ config, database, masterKey, log, webDir, edgeDir });
    // a new link ends the one before, so that only the process that answers it prints one
    const setup = config.roles.includes('console') && !config.adminEmail ? await newSetupToken(database) : null;
    console.log(`Yunxun ${program.version} is ready: ${config.publicUrl}`);
    if (setup) console.log(`To administer this installation, open once: ${config.publicUrl}/install?token=${setup}`);
    if (isLocal(config.deviceHost)) {
      console.log(
        `Devices on other machines cannot reach "${config.deviceHost}". Set YUNXUN_PUBLIC_URL or YUNXUN_DEVICE_HOST to a name they can.`,
      );
    }
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { ...program, database, log, stop };
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** The database is lost for good: nothing can be done here any more, and whoever watches the process starts it again. */
function endWithout(error: Error): void {
  console.error(error.message);
  process.exit(1);
}

/** Runs `start` until a signal, and ends with a sentence when it fails. */
export async function runUntilSignal(start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  let starting: ReturnType<typeof start> | undefined;
  closeWithGrace({ delay: 20_000, logger: false }, async ({ err }) => {
    if (err) console.error(err);
    // half a start cannot be stopped: one that is under way goes on until it can
    const running = await starting?.catch(() => null);
    await running?.stop();
  });
  try {
    starting = start();
    await starting;
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : `Yunxun could not start: ${(error as Error).message}`);
    process.exit(1);
  }
}
