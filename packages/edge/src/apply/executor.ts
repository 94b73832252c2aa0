import { execFile } from 'node:child_process';
import { accessSync, closeSync, constants, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setMac } from './mac-address.ts';
import { addressesOf } from './neighbours.ts';
import { type Executor, type Step, StepFailed, type ToolResult } from './step.ts';
import { syncTunnel } from './tunnels.ts';

const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin'];
const stepTimeout = 15_000;
const outputBytes = 4 * 1024 * 1024;

/** Child processes inherit nothing else. */
export const toolEnvironment = { PATH: folders.join(':'), LC_ALL: 'C' } as const;

const toolErrors = {
  exists: /File exists|already (exists|assigned)|Exclusivity flag|device or resource busy/i,
  absent:
    /No such (process|device|file|table|rule)|Cannot (find|assign requested)|not found|does not exist|Cannot find device|Invalid handle|with handle of zero|Cannot find specified|FIB table does not exist/i,
} as const;

export function findTool(name: string): string | null {
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // try the next folder
    }
  }
  return null;
}

interface ToolOptions {
  input?: string | undefined;
  /** Milliseconds. */
  timeout?: number;
  environment?: Readonly<Record<string, string>>;
}

/** Runs without a shell. Never throws. */
export function runTool(
  argv: readonly [program: string, ...args: string[]],
  { input, timeout = stepTimeout, environment = {} }: ToolOptions = {},
): Promise<ToolResult> {
  const [name, ...args] = argv;
  const program = name.startsWith('/') ? name : findTool(name);
  if (program === null) return Promise.resolve({ code: -1, stdout: '', stderr: `${name} is not installed` });
  return new Promise((resolve) => {
    const env = { ...toolEnvironment, ...environment };
    const options = { timeout, killSignal: 'SIGKILL', maxBuffer: outputBytes, env, cwd: '/' } as const;
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

export class MachineExecutor implements Executor {
  readonly #settings: string;

  readonly #port53: (op: 'take' | 'give') => Promise<void>;

  constructor(port53: (op: 'take' | 'give') => Promise<void>, settings = '/proc/sys') {
    this.#port53 = port53;
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
      case 'mac':
        return this.#mac(step);
      case 'tunnel':
        return syncTunnel(step, runTool);
      case 'sysctl':
        return this.#set(step);
      case 'touch':
        mkdirSync(dirname(step.path), { recursive: true, mode: 0o755 });
        return closeSync(openSync(step.path, 'a', 0o644));
      case 'stop':
        return stopProgram(step);
      case 'port53':
        return this.#port53(step.op);
      case 'disconnect':
        return disconnect(step.macs);
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

  async #mac({ device, mac, inherits = false, fine }: Step & { do: 'mac' }): Promise<void> {
    const failure = await this.#announcing(() => setMac(device, mac, runTool, inherits));
    if (failure !== null && !(fine !== undefined && toolErrors[fine].test(failure))) throw new Error(failure);
  }

  /**
   * Announces by ARP (arp_notify) during a MAC change, VLANs included: the provider's router keeps the old MAC for
   * longer than the confirm window.
   */
  async #announcing<T>(work: () => Promise<T>): Promise<T> {
    const path = 'net/ipv4/conf/all/arp_notify';
    const before = readSetting(path, this.#settings);
    if (before !== null) writeFileSync(settingPath(this.#settings, path), '1');
    try {
      return await work();
    } finally {
      if (before !== null) writeFileSync(settingPath(this.#settings, path), before);
    }
  }

  async #run(step: Step & { do: 'run' }): Promise<void> {
    const { code, stderr: text, stdout } = await runTool(step.argv, { input: step.input });
    if (code === 0) return;
    // wireguard-go prints its errors there
    const stderr = stdout.startsWith('ERROR') ? stdout : text;
    if (step.fine !== undefined && toolErrors[step.fine].test(stderr)) return;
    throw new StepFailed(step, stderr.trim().split('\n').slice(0, 3).join(' ').slice(0, 400) || `exit code ${code}`);
  }
}

export async function stopProgram(step: Step & { do: 'stop' }): Promise<void> {
  const pid = runningPid(step.pidFile, step.of);
  if (pid === null) return rmSync(step.pidFile, { force: true });
  process.kill(pid, 'SIGTERM');
  for (let look = 0; look < 60; look += 1) {
    // by the process: dnsmasq removes its pid file before it closes its sockets
    if (!runs(pid, step.of)) return rmSync(step.pidFile, { force: true });
    if (look === 40) process.kill(pid, 'SIGKILL');
    await new Promise((turn) => setTimeout(turn, 50));
  }
  throw new StepFailed(step, `process ${pid} does not end`);
}

/**
 * Deletes tracked connections by the neighbour table. The firewall set already blocks what clients send. Without the
 * tool, traffic to them continues until the entry expires.
 */
export async function disconnect(macs: readonly string[]): Promise<void> {
  const { stdout } = await runTool(['ip', '-j', 'neigh', 'show']);
  for (const address of addressesOf(stdout, macs)) {
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    for (const side of ['--orig-src', '--reply-src']) await runTool(['conntrack', '-D', '-f', family, side, address]);
  }
}

function settingPath(root: string, path: string): string {
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error(`${path} names no setting`);
  }
  return join(root, path);
}

export function readSetting(path: string, root = '/proc/sys'): string | null {
  try {
    return readFileSync(settingPath(root, path), 'utf8').trim();
  } catch {
    return null;
  }
}

export function runningPid(pidFile: string, of: string): number | null {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').trim());
    if (!Number.isInteger(pid) || pid < 2) return null;
    return runs(pid, of) ? pid : null;
  } catch {
    return null;
  }
}

function runs(pid: number, of: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(of);
  } catch {
    return false;
  }
}
