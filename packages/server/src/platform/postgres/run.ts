import { spawn, spawnSync } from 'node:child_process';
import type { ServerUser } from './user.ts';

/** English: some are parsed. */
export const programEnv = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/** Changes the directory: ours may be closed to the user. */
export function asUser(user: ServerUser): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  return { cwd: '/', env: programEnv, ...(user.switched ? { uid: user.uid, gid: user.gid } : {}) };
}

export interface Outcome {
  status: number | null;
  output: string;
}

export async function run(program: string, args: readonly string[], user: ServerUser): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...asUser(user), stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', (error) => resolve({ status: null, output: error.message }));
    child.once('close', (status) => resolve({ status, output: Buffer.concat(output).toString().trim() }));
  });
}

/** Tests it: modes, access lists and mounts matter. */
export function canEnter(dir: string, user: ServerUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { ...asUser(user), stdio: 'ignore' }).status === 0;
}
