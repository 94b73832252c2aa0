import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresError } from './error.ts';
import { inspectProcess } from './processes.ts';

/** Ends with the process. */
export interface Hold {
  release(): void;
}

interface Holder {
  pid: number;
  since: string;
}

export const lockName = 'yunxun.lock';

/**
 * Takes over from a dead process or reused pid.
 * @throws PostgresError if a live process holds it
 */
export function holdFolder(dir: string): Hold {
  const file = join(dir, lockName);
  const mine = JSON.stringify({ pid: process.pid, since: inspectProcess(process.pid)?.since ?? '' } satisfies Holder);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      // atomic: no partial lock
      if (succeeds(() => linkSync(draft, file), 'EEXIST')) {
        return { release: () => release(file, mine) };
      }
      const text = read(file);
      if (text === null) continue;
      const holder = liveHolder(text);
      if (holder !== null) {
        throw new PostgresError(
          `Another Yunxun (process ${holder}) runs on the data folder ${dir}. Stop it first, or give this one a folder of its own with YUNXUN_DATA.`,
        );
      }
      bury(file, text);
    }
    throw new PostgresError(`The lock ${file} keeps changing hands. Start again when the other starts are over.`);
  } finally {
    rmSync(draft, { force: true });
  }
}

export function folderHolder(dir: string): number | null {
  const text = read(join(dir, lockName));
  return text === null ? null : liveHolder(text);
}

/** Restores a lock renewed meanwhile. */
function bury(file: string, dead: string): void {
  const grave = `${file}.stale.${process.pid}`;
  if (!succeeds(() => renameSync(file, grave), 'ENOENT')) return;
  if (read(grave) !== dead) succeeds(() => linkSync(grave, file), 'EEXIST');
  rmSync(grave, { force: true });
}

function release(file: string, mine: string): void {
  if (read(file) === mine) rmSync(file, { force: true });
}

function liveHolder(text: string): number | null {
  try {
    const holder = JSON.parse(text) as Holder;
    const found = inspectProcess(holder.pid);
    return found && !found.zombie && found.since === holder.since ? holder.pid : null;
  } catch {
    return null;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function succeeds(work: () => void, expected: string): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return false;
    throw error;
  }
}
