import { chownSync, closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LauncherLog } from './log.ts';
import type { Place } from './place.ts';
import { inspectProcess, processesIn, stopServer, waitUntilGone } from './processes.ts';

/** Ends a killed program's cluster and clears its lock. Needs the data folder. */
export async function clearCluster(place: Place, log: LauncherLog): Promise<void> {
  const { clusterDir } = place;
  const text = readLock(clusterDir);
  const pid = Number(text?.split('\n')[0]);
  const running = processesIn(clusterDir);
  if (isProcess(pid) && (running.includes(pid) || isServerOf(pid, clusterDir))) {
    log.warn({ pid }, 'stopping a PostgreSQL server that outlived its program');
    await stopServer(pid, (ms) => waitUntilGone(pid, ms));
  }
  await endLeftovers(clusterDir, log);
  clearLock(place);
}

/** Ends children of a killed postmaster that still compute. */
async function endLeftovers(clusterDir: string, log: LauncherLog): Promise<void> {
  const leftovers = processesIn(clusterDir);
  if (leftovers.length === 0) return;
  log.warn({ pids: leftovers }, 'ending parts of a PostgreSQL server that was killed');
  await Promise.all(
    leftovers.map((pid) =>
      stopServer(pid, (ms) => waitUntilGone(pid, ms), [
        ['SIGQUIT', 2_000],
        ['SIGKILL', 10_000],
      ]),
    ),
  );
}

/**
 * Clears a stale lock. PostgreSQL would take a zombie, or a reused pid, for the server. It ignores its parent's lock,
 * so ours is written; it still checks whether a child holds the shared memory named there.
 */
function clearLock({ clusterDir, baseDir, user }: Place): void {
  const text = readLock(clusterDir);
  if (text === null) return;
  const lock = join(clusterDir, 'postmaster.pid');
  const [first, ...rest] = text.split('\n');
  const pid = Number(first);
  if (!isProcess(pid)) {
    rmSync(lock);
  } else if (inspectProcess(pid)) {
    // outside: root must not follow the user's links
    const draft = join(baseDir, `postmaster.pid.${process.pid}`);
    writeFileSync(draft, [process.pid, ...rest].join('\n'), { mode: 0o600 });
    if (user.switched) chownSync(draft, user.uid, user.gid);
    renameSync(draft, lock);
  }
}

function readLock(clusterDir: string): string | null {
  let handle: number;
  try {
    handle = openSync(join(clusterDir, 'postmaster.pid'), constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

function isServerOf(pid: number, clusterDir: string): boolean {
  const found = inspectProcess(pid);
  return found !== null && !found.zombie && found.command.includes('postgres') && found.command.includes(clusterDir);
}

function isProcess(pid: number): boolean {
  return Number.isInteger(pid) && pid > 0 && pid !== process.pid;
}
