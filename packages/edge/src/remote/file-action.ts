import { spawn } from 'node:child_process';
import { PassThrough, Readable, Writable } from 'node:stream';
import { remoteFileStatuses } from '@yunxun/contract/device';
import { findTool, toolEnvironment } from '../apply/executor.ts';
import { answerLine, type FileAction, FileRefused, type FileRequest, noProgram } from './file-request.ts';
import { kill } from './processes.ts';
import type { Person } from './sign-in.ts';

/** Milliseconds. To remove what was half written. */
const graceMs = 2_000;
const perShell = 2;
const { denied, unavailable } = remoteFileStatuses;

/** This agent's own `transfer`. */
export const transferCommand = (): string[] => [
  process.execPath,
  '--max-old-space-size=64',
  '--no-warnings',
  process.argv[1] ?? '',
  'transfer',
];

/** The actions of one shell. */
export interface FileActions {
  begin(request: FileRequest): Promise<FileAction>;
  close(): Promise<void>;
}

export function createFileActions(personOf: () => Promise<Person>, command: readonly string[]): FileActions {
  const open = new Set<FileAction>();
  let starting = 0;
  let closed = false;

  async function begin(request: FileRequest): Promise<FileAction> {
    if (open.size + starting >= perShell) return refusal(503, `${perShell} files are under way`);
    starting += 1;
    try {
      const person = await personOf();
      if (closed) throw new FileRefused(unavailable, 'the shell has ended');
      const action = startAs(person, request, command, () => open.delete(action));
      open.add(action);
      return action;
    } catch (error) {
      if (error instanceof FileRefused) return refusal(error.status, error.message);
      throw error;
    } finally {
      starting -= 1;
    }
  }

  return {
    begin,
    async close() {
      closed = true;
      await Promise.all([...open].map((action) => action.close()));
    },
  };
}

export function refusal(status: number, reason: string): FileAction {
  const input = new Writable({ write: (_part, _encoding, done) => done() });
  return { input, output: Readable.from([Buffer.from(answerLine({ status, reason }))]), close: async () => {} };
}

/** Through the login shell, as sshd does: it may be one that runs no other program. */
function startAs(person: Person, request: FileRequest, command: readonly string[], ended: () => void): FileAction {
  const { name, uid, gid, home, shell } = person;
  const setpriv = findTool('setpriv');
  if (setpriv === null) throw new FileRefused(unavailable, 'setpriv not on this box');
  const rights = [`--reuid=${uid}`, `--regid=${gid}`, '--init-groups', '--inh-caps=-all', '--no-new-privs'];
  const line = `exec ${command.map((word) => `'${word}'`).join(' ')}`;
  // TERM first: it removes the half file
  const args = [...rights, '--pdeathsig', 'TERM', '--', shell, '-c', line];
  const child = spawn(setpriv, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...toolEnvironment, HOME: home, USER: name, LOGNAME: name, SHELL: shell },
    cwd: '/',
    detached: true,
  });
  const { stdin: input, stdout } = child;
  const output = new PassThrough();
  let isSilent = true;
  stdout.once('data', () => {
    isSilent = false;
  });
  stdout.pipe(output, { end: false });
  const over = () => {
    ended();
    if (isSilent && output.writable) output.write(answerLine({ status: denied, reason: noProgram }));
    output.end();
  };
  child.once('close', over).once('error', over);
  for (const stream of [input, stdout, output]) stream.on('error', () => {});
  const { path } = request;
  input.write(`${JSON.stringify({ ...request, path: path === '' ? home : path })}\n`);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let closing: Promise<void> | null = null;
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

  async function end(): Promise<void> {
    output.destroy();
    stdout.destroy();
    input.destroy();
    if (isOver()) return;
    const group = -child.pid!;
    const late = setTimeout(() => kill(group), graceMs);
    kill(group, 'SIGTERM');
    await exited;
    clearTimeout(late);
  }

  return {
    input,
    output,
    close() {
      closing ??= end();
      return closing;
    },
  };
}
