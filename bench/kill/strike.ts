import { commandOf, descendantsOf } from '../lib/process.ts';
import { isReady, type RunningServer } from '../lib/server.ts';
import { pause } from '../lib/stats.ts';

/** What is killed: the program, the program and its database in one, or the database under the running program. */
export const modes = ['program', 'program and database', 'database'] as const;
export type Mode = (typeof modes)[number];

/** A program that outlived its database must be ready again after this, milliseconds. */
const backWithin = 120_000;

/** Kills, starts again where the program was hit, and waits until it is ready. */
export async function strike(
  server: RunningServer,
  mode: Mode,
  start: () => Promise<RunningServer>,
): Promise<RunningServer> {
  const database = descendantsOf(server.pid).filter((pid) => commandOf(pid).includes('postgres'));
  if (mode === 'database') {
    // the postmaster has the data folder in its command line; its children end by themselves
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

/** A process may have ended by itself between two looks. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
