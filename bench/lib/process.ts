import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Reads /proc/<pid>/stat after the name, which may contain anything. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

export function cpuOf(pid: number): number {
  const fields = statOf(pid);
  if (!fields) throw new Error(`process ${pid} is gone`);
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

/** Milliseconds that its main thread was ready to run and did not (/proc/<pid>/schedstat). */
export function waitOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

export function cpuOfFamily(pid: number): number {
  return [pid, ...descendantsOf(pid)].reduce((sum, member) => {
    const fields = statOf(member)?.slice(11, 15) ?? [];
    return sum + (fields.reduce((ticks, field) => ticks + Number(field), 0) / ticksPerSecond) * 1000;
  }, 0);
}

export function residentOf(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1024;
}

export function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid))
    .map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

export function openFilesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
