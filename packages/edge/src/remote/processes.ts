import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  parent: number;
  session: number;
  terminal: number;
}

export function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // the command in parentheses may have any characters
      const [, parent = 0, , session = 0, terminal = 0] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return [{ pid: Number(name), parent, session, terminal }];
    } catch {
      return [];
    }
  });
}

export function kill(pid: number, signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended already
  }
}
