import { join } from 'node:path';
import { type BenchDatabase, startDatabase } from './database.ts';
import { makeFolder, removeFolder } from './folder.ts';
import { freePorts } from './free-ports.ts';
import { startServer } from './server.ts';

export interface BenchConsole {
  database: BenchDatabase;
  server: Awaited<ReturnType<typeof startServer>>;
  dataDir: string;
}

/** Runs the program on an empty database for some work, and removes both. */
export async function withConsole(
  options: Parameters<typeof startDatabase>[1],
  work: (bench: BenchConsole) => Promise<void>,
): Promise<void> {
  const folder = makeFolder();
  const database = await startDatabase(folder, options);
  try {
    const dataDir = makeFolder(folder);
    const [httpPort = 0, devicePort = 0] = await freePorts(2);
    const server = await startServer({ dataDir, databaseUrl: database.url, httpPort, devicePort });
    try {
      await work({ database, server, dataDir });
    } finally {
      await server.stop();
    }
  } finally {
    await database.stop();
    removeFolder(folder, [join(folder, 'database')]);
  }
}
