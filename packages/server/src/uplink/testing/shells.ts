import { spawnSync } from 'node:child_process';

/** Where a program is; empty where it is not. */
export const program = (name: string): string =>
  spawnSync('sh', ['-c', `command -v ${name}`])
    .stdout.toString()
    .trim();

/** The shells that are here, each with its arguments, that enroll.sh is tried in. */
export const shells: [string, string[]][] = [['sh', []]];
for (const name of ['dash', 'bash']) if (program(name)) shells.push([name, name === 'bash' ? ['--posix'] : []]);
if (program('busybox')) shells.push(['busybox', ['sh']]);

/** The programs that are here and fetch. */
export const fetchers = ['curl', 'wget'].filter(program);
