import { spawnSync } from 'node:child_process';

export const program = (name: string): string =>
  spawnSync('sh', ['-c', `command -v ${name}`])
    .stdout.toString()
    .trim();

export const shells: [string, string[]][] = [['sh', []]];
for (const name of ['dash', 'bash']) if (program(name)) shells.push([name, name === 'bash' ? ['--posix'] : []]);
if (program('busybox')) shells.push(['busybox', ['sh']]);

export const fetchers = ['curl', 'wget'].filter(program);
