import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** What the machine knows of a process. */
export interface ProcessFacts {
  /** It has ended and only waits for its parent to notice. */
  zombie: boolean;
  /** When it began: equal texts mean the same process, and not another one that got its number later. */
  since: string;
  command: string;
}

/** Looks a process up; null when there is none of that number. */
export const inspectProcess: (pid: number) => ProcessFacts | null =
  process.platform === 'linux' ? inspectByProc : inspectByPs;

/** Reads /proc, Linux only. */
export function inspectByProc(pid: number): ProcessFacts | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name in brackets may hold anything, brackets and spaces included
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { zombie: fields[0] === 'Z' || fields[0] === 'X', since: `${boot} ${fields[19]}`, command };
  } catch {
    return null;
  }
}

/** Asks ps, for systems without /proc. */
export function inspectByPs(pid: number): ProcessFacts | null {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,args=', '-p', String(pid)], { encoding: 'utf8', env }).trim();
    const found = /^(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})\s*(.*)$/.exec(line);
    return found ? { zombie: found[1]!.startsWith('Z'), since: found[2]!, command: found[3]! } : null;
  } catch {
    return null;
  }
}

/** Processes whose working directory is `dir`: a server and all its parts stand in their cluster. None without /proc. */
export function processesIn(dir: string): number[] {
  if (process.platform !== 'linux') return [];
  const wanted = statSync(dir);
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const cwd = statSync(`/proc/${name}/cwd`);
      return cwd.dev === wanted.dev && cwd.ino === wanted.ino ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Waits until a process has ended; false when it has not within `ms`. */
export async function waitUntilGone(pid: number, ms: number): Promise<boolean> {
  const since = inspectProcess(pid)?.since;
  for (const deadline = Date.now() + ms; ; ) {
    const now = inspectProcess(pid);
    if (!now || now.zombie || now.since !== since) return true;
    if (Date.now() >= deadline) return false;
    await delay(20);
  }
}

/** Milliseconds each signal gets: fast shutdown, then immediate, then the end. */
const patience: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];

/**
 * Stops a PostgreSQL server: asks for a fast shutdown and becomes firmer when that takes too long.
 * @param gone waits up to the given milliseconds for the end and says whether it came
 * @returns the signal that it took
 */
export async function stopServer(
  pid: number,
  gone: (ms: number) => Promise<boolean>,
  steps = patience,
): Promise<NodeJS.Signals> {
  for (const [signal, ms] of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    if (await gone(ms)) return signal;
  }
  throw new Error(`process ${pid} does not end, not even when killed`);
}
