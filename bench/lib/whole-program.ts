import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type BenchDatabase, startDatabase } from './database.ts';
import { makeFolder, removeFolder } from './folder.ts';
import { freePorts } from './free-ports.ts';
import { answer, startPart } from './parts.ts';
import { isReady } from './server.ts';

export interface WholeProgram {
  url: string;
  dataDir: string;
  devicePort: number;
  host: ChildProcess;
  pid: number;
  database: BenchDatabase;
  stop(): Promise<void>;
}

export async function startWholeProgram(clock: 'quick' | 'true' = 'true'): Promise<WholeProgram> {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${httpPort}`;
  const database = await startDatabase(folder);
  const host = startPart('commands/host.ts', {
    YUNXUN_DATA: dataDir,
    YUNXUN_HOST: '127.0.0.1',
    YUNXUN_PUBLIC_URL: url,
    YUNXUN_DEVICE_HOST: 'localhost',
    YUNXUN_HTTP_PORT: String(httpPort),
    YUNXUN_DEVICE_PORT: String(devicePort),
    YUNXUN_DATABASE_URL: database.url,
    BENCH_CLOCK: clock,
  });
  const stop = async () => {
    if (host.exitCode === null && host.signalCode === null) {
      const ended = once(host, 'exit');
      host.send('stop');
      await ended;
    }
    await database.stop();
    removeFolder(folder, [join(folder, 'database'), dataDir]);
  };
  try {
    await answer(host);
    if (!(await isReady(url))) throw new Error('the program is not ready');
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, dataDir, devicePort, host, pid: host.pid as number, database, stop };
}

export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)`, 'gm'));
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
}
