import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { RemoteSize } from '@yunxun/contract/device';
import { findTool, runTool, toolEnvironment } from '../apply/executor.ts';
import { createFileActions, transferCommand } from './file-action.ts';
import type { FileAction, FileRequest } from './file-request.ts';
import { kill, processes } from './processes.ts';
import { personOf, userOfLogin } from './sign-in.ts';

export interface Terminal {
  readonly input: Writable;
  /** Ends with the program. */
  readonly output: Readable;
  resize(size: RemoteSize): void;
  /** With the rights of the person who signed in. */
  files?(request: FileRequest): Promise<FileAction>;
  /** Ends every process of the terminal. */
  close(): Promise<void>;
}

export type OpenTerminal = (size: RemoteSize) => Promise<Terminal>;

interface FileOptions {
  /** Acts on a file, as `transfer` of the agent. */
  command?: readonly string[];
  personOf?: typeof personOf;
}

/** Milliseconds. Between SIGHUP and SIGKILL; for the terminal's name. */
const [graceMs, startMs] = [500, 5_000];
const namesForm = /^(\/dev\/pts\/\d+)\n(\d+)\n$/;

/** Returns why this machine can open no terminal; null if it can. */
export async function noTerminalBecause(run = runTool, find = findTool): Promise<string | null> {
  const absent = ['script', 'login', 'stty'].filter((name) => find(name) === null);
  if (absent.length > 0) return `${absent.join(' and ')} not on this box`;
  // the script of BusyBox needs a terminal itself
  const { stdout } = await run(['script', '--version']);
  return stdout.includes('util-linux') ? null : 'script of util-linux not on this box';
}

/**
 * Opens a pseudo-terminal with a login prompt. Needs root. Node.js has no pseudo-terminals, so `script` of util-linux
 * holds it, and `stty` on its device resizes it.
 * @throws if it does not start
 */
export async function openTerminal(
  size: RemoteSize,
  program = 'login',
  { command = transferCommand(), personOf: find = personOf }: FileOptions = {},
): Promise<Terminal> {
  const names = 'printf "%s\\n%s\\n" "$(tty)" $$ >&3';
  const setup = `stty sane iutf8 rows ${size.rows} cols ${size.columns}; ${names}; exec ${program} 3>&-`;
  const script = [findTool('script') ?? 'script', '-qfec', setup, '/dev/null'];
  const setpriv = findTool('setpriv');
  // a killed agent takes its terminals along
  const [file, ...args] = setpriv === null ? script : [setpriv, '--pdeathsig', 'KILL', '--', ...script];
  const child = spawn(file!, args, {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    env: { ...toolEnvironment, SHELL: '/bin/sh', TERM: 'xterm-256color' },
    cwd: '/',
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const { stdin: input, stdout: output } = child;
  const named = child.stdio[3] as Readable;
  if (input === null || output === null) throw new Error('script has no pipes');
  input.on('error', () => {});
  let tty: string;
  let login: number;
  let device: number;
  try {
    [tty, login] = await namesFrom(named);
    device = statSync(tty).rdev;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const person = async () => find(await userOfLogin({ pid: login, parent: child.pid!, program }));
  const actions = createFileActions(person, command);
  void ended.then(() => actions.close());
  let wanted: RemoteSize | null = null;
  let isSizing = false;
  let closing: Promise<void> | null = null;
  // afterwards another program may have the terminal's number
  const isOver = () => child.exitCode !== null || child.signalCode !== null;

  async function applySize(): Promise<void> {
    if (isSizing) return;
    isSizing = true;
    while (wanted !== null && !isOver()) {
      const { rows, columns } = wanted;
      wanted = null;
      await runTool(['stty', '-F', tty, 'rows', `${rows}`, 'cols', `${columns}`]);
    }
    isSizing = false;
  }

  async function end(): Promise<void> {
    if (isOver()) return;
    const sessions = new Set(processes().flatMap((one) => (one.terminal === device ? [one.session] : [])));
    child.kill('SIGKILL');
    await ended;
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    for (const { pid, session } of processes()) if (sessions.has(session)) kill(pid);
  }

  return {
    input,
    output,
    resize(size) {
      wanted = size;
      void applySize();
    },
    files: actions.begin,
    close() {
      closing ??= Promise.all([end(), actions.close()]).then(() => {});
      return closing;
    },
  };
}

/** The terminal, and the process that becomes the program. */
async function namesFrom(pipe: Readable): Promise<[tty: string, pid: number]> {
  try {
    const [first] = (await once(pipe, 'data', { signal: AbortSignal.timeout(startMs) })) as [Buffer];
    const [, tty, pid] = namesForm.exec(first.toString('utf8')) ?? [];
    if (tty !== undefined) return [tty, Number(pid)];
  } catch {
    // the same as a wrong name
  } finally {
    pipe.destroy();
  }
  throw new Error('script opened no terminal');
}
