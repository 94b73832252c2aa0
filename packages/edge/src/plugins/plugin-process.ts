import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { EdgePluginState, PluginReason, PluginSettings } from '@yunxun/contract/device';
import type { Cancel, Clock } from '../clock.ts';
import type { Launch } from './sandbox.ts';

export interface PluginProcessOptions {
  clock: Clock;
  launch: Launch;
  folder: string;
  data: string;
  settings: PluginSettings;
  memoryMb: number;
  log(line: string): void;
}

/** Milliseconds. A process this old runs; after `settledMs` its next restart is quick. */
const times = { provenMs: 1500, settledMs: 60_000, firstWaitMs: 1000, maxWaitMs: 60_000, memoryMs: 5000, killMs: 3000 };
const kept = { lines: 10, letters: 200 };
const pageBytes = 4096;
/** MiB beyond V8's heap. */
const besideHeapMb = 96;

/** Restarts with growing waits. */
export class PluginProcess {
  readonly #options: PluginProcessOptions;
  #child: ChildProcess | null = null;
  #cancels: Cancel[] = [];
  #waitMs = times.firstWaitMs;
  #stopped = false;
  #lines: string[] = [];
  state: EdgePluginState['state'] = 'starting';
  reason: PluginReason | null = null;

  constructor(options: PluginProcessOptions) {
    this.#options = options;
    this.#start();
  }

  get log(): readonly string[] {
    return this.#lines;
  }

  /** Ends the process; resolves once it is gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#clear();
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const cancel = this.#options.clock.after(times.killMs, () => child.kill('SIGKILL'));
    await gone;
    cancel();
  }

  #start(): void {
    const { launch, folder, data, settings, clock } = this.#options;
    const { program, args, ...user } = launch;
    this.#clear();
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
      env: { YUNXUN_PLUGIN_SETTINGS: JSON.stringify(settings), YUNXUN_PLUGIN_DATA: data },
    });
    this.#child = child;
    // another load of the host goes first
    if (child.pid !== undefined) lowerPriority(child.pid);
    let done = false;
    const ended = (line: string) => {
      if (done) return;
      done = true;
      this.#note(line);
      this.#ended();
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(signal === null ? `exit code ${code}` : `signal ${signal}`));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => this.#read(part));
    this.#cancels = [
      clock.after(times.provenMs, () => {
        this.state = 'running';
        this.reason = null;
      }),
      clock.after(times.settledMs, () => {
        this.#waitMs = times.firstWaitMs;
      }),
    ];
    this.#watchMemory(child);
  }

  #watchMemory(child: ChildProcess): void {
    const cancel = this.#options.clock.after(times.memoryMs, () => {
      if (child.pid === undefined || this.#child !== child) return;
      if (residentBytes(child.pid) > (this.#options.memoryMb + besideHeapMb) * 1024 * 1024) {
        this.reason = 'memory';
        child.kill('SIGKILL');
      } else this.#watchMemory(child);
    });
    this.#cancels.push(cancel);
  }

  #ended(): void {
    this.#clear();
    if (this.#stopped) return;
    const { clock, log } = this.#options;
    if (this.reason !== 'memory') this.reason = 'exited';
    this.state = 'failed';
    log(`a plugin ended: ${this.#lines.at(-1) ?? ''}`);
    this.#cancels = [clock.after(this.#waitMs, () => this.#start())];
    this.#waitMs = Math.min(this.#waitMs * 2, times.maxWaitMs);
  }

  #read(part: Buffer): void {
    for (const line of part.toString('utf8').split('\n')) if (line.trim() !== '') this.#note(line);
  }

  #note(line: string): void {
    this.#lines = [...this.#lines, line.slice(0, kept.letters)].slice(-kept.lines);
  }

  #clear(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 15);
  } catch {
    // it ended already
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  } catch {
    return 0;
  }
}
