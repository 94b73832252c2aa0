import { existsSync } from 'node:fs';
import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { newSetupToken } from './features/installation/index.ts';
import { type Config, ConfigError } from './platform/config.ts';
import { loadMasterKey } from './platform/crypto/index.ts';
import { type Database, openDatabase } from './platform/database/index.ts';
import { hasKey } from './platform/database/key.ts';
import { createLog, type Log, readLevel } from './platform/log.ts';
import type { TellCode } from './platform/outbox/index.ts';
import { checkPorts } from './platform/ports.ts';
import { startPostgres } from './platform/postgres/index.ts';
import { languageOf, linkIn } from './platform/terminal.ts';
import { type Program, startProgram } from './program.ts';

const webDir = join(import.meta.dirname, '../../web/dist');
const edgeDir = join(import.meta.dirname, '../../edge/dist');

export interface Started extends Program {
  database: Database;
  log: Log;
}

/** A demo shares a laptop with its reader's other programs. */
const demoMemory = 512 * 1024 * 1024;
const demoPoolSize = 8;

export interface StartOptions {
  demo?: boolean;
  /** Recipients whose codes the terminal does not show. */
  quietTo?: ReadonlySet<string>;
}

export async function start(
  config: Config,
  { demo = false, quietTo = new Set() }: StartOptions = {},
): Promise<Started> {
  const log = createLog(readLevel(process.env.LOG_LEVEL));
  for (const sentence of await checkPorts(config)) console.log(sentence);
  // first: it creates the data folder with access for the database's user
  const postgres = config.databaseUrl
    ? null
    : await startPostgres({
        dataDir: config.dataDir,
        log,
        onLost: endWithout,
        ...(demo ? { memory: demoMemory } : {}),
      });
  let database: Database | undefined;
  let program: Program | undefined;
  const stop = async () => {
    try {
      // a running program closes its own database
      await (program ? program.stop() : database?.close());
    } finally {
      await postgres?.stop();
    }
  };
  try {
    const owner = postgres ? postgres.owner : { connectionString: config.databaseUrl! };
    const keyFile = join(config.dataDir, 'master.key');
    if (!existsSync(keyFile) && (await hasKey(owner))) {
      throw new ConfigError(
        `${keyFile} is missing, and this database was made with one: nothing that is sealed in it can be read without that file. Bring it back from a backup; to begin anew, give an empty database.`,
      );
    }
    const masterKey = loadMasterKey(keyFile);
    database = await openDatabase({ owner, masterKey, log, ...(demo ? { poolSize: demoPoolSize } : {}) });
    program = await startProgram({
      config,
      database,
      masterKey,
      log,
      webDir,
      edgeDir,
      demo,
      // elsewhere standard output may be a log
      tellCode: process.stdout.isTTY ? codesFor(quietTo) : undefined,
      ...(postgres ? { databaseDir: postgres.clusterDir } : {}),
    });
    // a new link invalidates the last, so only console processes print one
    const setup = config.roles.includes('console') && !config.adminEmail ? await newSetupToken(database) : null;
    const link = (path: string) => linkIn(languageOf(process.env), config.publicUrl + path);
    console.log(`Yunxun ${program.version} is ready: ${link('/')}`);
    if (setup) console.log(`To administer this installation, open once: ${link(`/install?token=${setup}`)}`);
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

function codesFor(quietTo: ReadonlySet<string>): TellCode {
  return (to, code, template) => {
    // codes of guests are not the operator's
    if (quietTo.has(to) || template === 'portalCode') return;
    console.log(`No provider is configured that could send it: the code for ${to} is ${code}.`);
  };
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Exits after the loss of the database; the service manager restarts the process. */
function endWithout(error: Error): void {
  console.error(error.message);
  process.exit(1);
}

/** A handler of these returns into the same fault, forever: the process has to die. */
const faults = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const;

/** Runs until a signal; ends with a sentence when the start fails. */
export async function runUntilSignal(start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  let starting: ReturnType<typeof start> | undefined;
  closeWithGrace({ delay: 20_000, logger: false, skip: [...faults] }, async ({ err }) => {
    if (err) console.error(err);
    // a start cannot be interrupted
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
