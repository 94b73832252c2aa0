import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface ProcessFacts {
  /** Not reaped. */
  zombie: boolean;
  /** Distinguishes reused pids. */
  since: string;
  command: string;
}

export const inspectProcess: (pid: number) => ProcessFacts | null =
  process.platform === 'linux' ? inspectByProc : inspectByPs;

export function inspectByProc(pid: number): ProcessFacts | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name may contain brackets and spaces
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { zombie: fields[0] === 'Z' || fields[0] === 'X', since: `${boot} ${fields[19]}`, command };
  } catch {
    return null;
  }
}

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

/** Finds processes by their directory. Empty without /proc. */
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

export async function waitUntilGone(pid: number, ms: number): Promise<boolean> {
  const since = inspectProcess(pid)?.since;
  for (const deadline = Date.now() + ms; ; ) {
    const now = inspectProcess(pid);
    if (!now || now.zombie || now.since !== since) return true;
    if (Date.now() >= deadline) return false;
    await delay(20);
  }
}

/** Milliseconds: fast, immediate, kill. */
const stopTimeouts: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];

/**
 * Uses increasingly hard signals.
 * @param gone waits milliseconds for the end
 * @returns the signal that worked
 */
export async function stopServer(
  pid: number,
  gone: (ms: number) => Promise<boolean>,
  steps = stopTimeouts,
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
