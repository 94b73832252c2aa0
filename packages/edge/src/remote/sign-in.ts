import { readFileSync, statSync } from 'node:fs';
import { remoteFileStatuses } from '@yunxun/contract/device';
import { findTool, runTool } from '../apply/executor.ts';
import { FileRefused } from './file-request.ts';
import { processes } from './processes.ts';

export interface Person {
  name: string;
  uid: number;
  gid: number;
  home: string;
  shell: string;
}

/** The program of the login prompt, and its parent. */
export interface Login {
  pid: number;
  parent: number;
  program: string;
}

/** (uid_t)-1 of the kernel's audit. */
const unset = 4_294_967_295;
const { notSignedIn, unavailable } = remoteFileStatuses;

/**
 * Returns the user that signed in at a login prompt. pam_loginuid notes the number in `login`'s own process, which belongs to
 * root and lives as long as the session. Numbers of processes below it prove nothing: without that module each may set its own.
 * @throws FileRefused
 */
export async function userOfLogin(login: Login): Promise<number> {
  const none = 'the host does not record who signed in (pam_loginuid)';
  // inherited by all
  if (loginOf('self') !== unset || !isLogin(login)) throw new FileRefused(unavailable, none);
  const uid = loginOf(login.pid);
  // another program may have taken its place meanwhile
  if (uid === null || !isLogin(login)) throw new FileRefused(unavailable, none);
  if (uid !== unset) return uid;
  if (processes().some(({ parent }) => parent === login.pid)) throw new FileRefused(unavailable, none);
  throw new FileRefused(notSignedIn, 'there was no sign-in at this shell');
}

function loginOf(pid: number | 'self'): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/loginuid`, 'utf8'));
  } catch {
    return null;
  }
}

/** Some logins become the person's shell, which could set its own number. */
function isLogin({ pid, parent, program }: Login): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const runs = statSync(`/proc/${pid}/exe`);
    const wanted = statSync(findTool(program) ?? program);
    const isSame = runs.dev === wanted.dev && runs.ino === wanted.ino;
    return isSame && status.includes(`\nPPid:\t${parent}\n`) && status.includes('\nUid:\t0\t0\t0\t0\n');
  } catch {
    return false;
  }
}

/** @throws FileRefused */
export async function personOf(uid: number): Promise<Person> {
  const { stdout } = await runTool(['getent', 'passwd', `${uid}`]);
  for (const line of [...stdout.split('\n'), ...readFileSync('/etc/passwd', 'utf8').split('\n')]) {
    const [name = '', , number, group = '', , home = '', shell] = line.split(':');
    if (number !== `${uid}` || name === '' || !/^\d+$/.test(group)) continue;
    return { name, uid, gid: Number(group), home: home.startsWith('/') ? home : '/', shell: shell || '/bin/sh' };
  }
  throw new FileRefused(unavailable, `the host has no user ${uid}`);
}
