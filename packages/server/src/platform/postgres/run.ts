import { spawn, spawnSync } from 'node:child_process';
import type { ServerUser } from './user.ts';

/** Environment of the server's programs: nothing of ours, and messages in English because we read some of them. */
export const programEnv = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/** How to start a program as the server's user. The working directory may be one that this user cannot enter. */
export function asUser(user: ServerUser): { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  return { cwd: '/', env: programEnv, ...(user.switched ? { uid: user.uid, gid: user.gid } : {}) };
}

/** What became of a program. */
export interface Outcome {
  /** Null when it could not be started or was killed. */
  status: number | null;
  /** Everything it said, or why it could not be started. */
  output: string;
}

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[], user: ServerUser): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...asUser(user), stdio: ['ignore', 'pipe', 'pipe'] });
    const said: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    child.once('error', (error) => resolve({ status: null, output: error.message }));
    child.once('close', (status) => resolve({ status, output: Buffer.concat(said).toString().trim() }));
  });
}

/** Whether the server's user can enter a directory: asked of the system, which knows modes, lists and mounts. */
export function canEnter(dir: string, user: ServerUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { ...asUser(user), stdio: 'ignore' }).status === 0;
}
