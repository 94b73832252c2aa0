import { commandOf, descendantsOf } from '../lib/process.ts';
import { isReady, type RunningServer } from '../lib/server.ts';
import { pause } from '../lib/stats.ts';

export const modes = ['program', 'program and database', 'database'] as const;
export type Mode = (typeof modes)[number];

const backWithin = 120_000;

export async function strike(
  server: RunningServer,
  mode: Mode,
  start: () => Promise<RunningServer>,
): Promise<RunningServer> {
  const database = descendantsOf(server.pid).filter((pid) => commandOf(pid).includes('postgres'));
  if (mode === 'database') {
    // the postmaster's command line contains -D; children exit by themselves
    for (const pid of database.filter((one) => /\s-D\s/.test(commandOf(one)))) process.kill(pid, 'SIGKILL');
    await pause(200);
    const deadline = Date.now() + backWithin;
    while (!(await isReady(server.url))) {
      if (Date.now() > deadline)
        throw new Error(`not ready ${backWithin / 1000} s after its database died: ${server.output()}`);
      await pause(20);
    }
    return server;
  }
  await server.kill();
  if (mode === 'program and database') for (const pid of database) quietly(() => process.kill(pid, 'SIGKILL'));
  return start();
}

function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
