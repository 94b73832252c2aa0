import { readdirSync, readFileSync } from 'node:fs';

/** Reads bytes, seconds and open files, with present and past children. */
export function used(pid: number): { resident: number; seconds: number; open: number } {
  const fields = (of: number) => readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
  const children = readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter(Boolean)
    .map(Number);
  const ticks = (of: number) =>
    fields(of)
      .slice(11, 15)
      .reduce((sum, one) => sum + one, 0);
  const seconds = [pid, ...children].reduce((sum, of) => sum + ticks(of) / 100, 0);
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  return { resident, seconds, open: readdirSync(`/proc/${pid}/fd`).length };
}
