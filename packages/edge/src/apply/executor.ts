import { execFile } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Executor, type Step, StepFailed } from './step.ts';

/** Where programs are looked for; the environment's own path is not asked. */
const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin'];
const stepTimeout = 15_000;
const outputBytes = 4 * 1024 * 1024;

/** What programs of ours see of an environment: none of the agent's own. */
export const toolEnvironment = { PATH: folders.join(':'), LC_ALL: 'C' } as const;

/** The complaints of ip, tc, bridge and nft that mean: it is so already. */
const complaints = {
  exists: /File exists|already (exists|assigned)|Exclusivity flag/i,
  absent:
    /No such (process|device|file|table|rule)|Cannot (find|assign requested)|not found|does not exist|Cannot find device|Invalid handle|with handle of zero|Cannot find specified|FIB table does not exist/i,
} as const;

/** The path of a program on this machine, or null where it is not installed. */
export function findTool(name: string): string | null {
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // the next folder
    }
  }
  return null;
}

/** What a program did: exit code (-1: not started or ended by us) and what it wrote. */
export interface ToolResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program with arguments, no shell between. Never throws. Time out in milliseconds. */
export function runTool(
  argv: readonly [program: string, ...args: string[]],
  { input, timeout = stepTimeout }: { input?: string | undefined; timeout?: number } = {},
): Promise<ToolResult> {
  const [name, ...args] = argv;
  const program = name.startsWith('/') ? name : findTool(name);
  if (program === null) return Promise.resolve({ code: -1, stdout: '', stderr: `${name} is not installed` });
  return new Promise((resolve) => {
    const options = { timeout, killSignal: 'SIGKILL', maxBuffer: outputBytes, env: toolEnvironment, cwd: '/' } as const;
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      const code = typeof error.code === 'number' ? error.code : -1;
      const reason = error.killed ? `no answer within ${timeout / 1000} s` : error.message;
      resolve({ code, stdout, stderr: stderr.trim() === '' ? reason : stderr });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}

/** Changes this machine. `root` is put before `/proc/sys` (tests). */
export class MachineExecutor implements Executor {
  readonly #settings: string;

  constructor(settings = '/proc/sys') {
    this.#settings = settings;
  }

  async perform(step: Step): Promise<void> {
    try {
      await this.#perform(step);
    } catch (error) {
      if (error instanceof StepFailed) throw error;
      throw new StepFailed(step, error instanceof Error ? error.message : String(error));
    }
  }

  async #perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'run':
        return this.#run(step);
      case 'write':
        mkdirSync(dirname(step.path), { recursive: true, mode: 0o755 });
        writeFileSync(step.path, step.text, { mode: step.executable ? 0o755 : 0o644 });
        return;
      case 'remove':
        return rmSync(step.path, { force: true });
      case 'sysctl':
        return this.#set(step);
      case 'touch':
        mkdirSync(dirname(step.path), { recursive: true, mode: 0o755 });
        return closeSync(openSync(step.path, 'a', 0o644));
      case 'stop':
        return this.#stop(step);
      case 'start':
        if (runningPid(step.pidFile, step.of) !== null) return;
        return this.#run({ do: 'run', argv: step.argv });
    }
  }

  #set({ path, value, optional }: Step & { do: 'sysctl' }): void {
    try {
      writeFileSync(settingPath(this.#settings, path), value);
    } catch (error) {
      if (!optional) throw error;
    }
  }

  async #run(step: Step & { do: 'run' }): Promise<void> {
    const { code, stderr } = await runTool(step.argv, { input: step.input });
    if (code === 0) return;
    if (step.fine !== undefined && complaints[step.fine].test(stderr)) return;
    throw new StepFailed(step, stderr.trim().split('\n').slice(0, 3).join(' ').slice(0, 400) || `exit code ${code}`);
  }

  async #stop(step: Step & { do: 'stop' }): Promise<void> {
    const pid = runningPid(step.pidFile, step.of);
    if (pid === null) return rmSync(step.pidFile, { force: true });
    process.kill(pid, 'SIGTERM');
    for (let look = 0; look < 60; look += 1) {
      if (runningPid(step.pidFile, step.of) !== pid) return rmSync(step.pidFile, { force: true });
      if (look === 40) process.kill(pid, 'SIGKILL');
      await new Promise((turn) => setTimeout(turn, 50));
    }
    throw new StepFailed(step, `process ${pid} does not end`);
  }
}

function settingPath(root: string, path: string): string {
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error(`${path} names no setting`);
  }
  return join(root, path);
}

/** A setting of the kernel (`net/ipv4/ip_forward`) as it is, or null where there is none. */
export function readSetting(path: string, root = '/proc/sys'): string | null {
  try {
    return readFileSync(settingPath(root, path), 'utf8').trim();
  } catch {
    return null;
  }
}

/** The pid in a file, when that process lives and is the one meant. */
export function runningPid(pidFile: string, of: string): number | null {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').trim());
    if (!Number.isInteger(pid) || pid < 2) return null;
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return words.includes(of) ? pid : null;
  } catch {
    return null;
  }
}
