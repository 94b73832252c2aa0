import { spawn } from 'node:child_process';
import { runTool as performTool, toolEnvironment } from '../apply/executor.ts';
import type { Cancel, Clock } from '../clock.ts';

/** Returns null on any failure. Never throws. */
export type Run = (file: string, args: readonly string[]) => Promise<string | null>;

export const runTool: Run = async (file, args) => {
  const { code, stdout } = await performTool([file, ...args], { timeout: 10_000 });
  return code === 0 ? stdout : null;
};

export interface Kept {
  stop(): void;
}

export interface KeepOptions {
  clock: Clock;
  file: string;
  args: readonly string[];
  output(part: Buffer, first: boolean): void;
  ended?(reason: string): void;
}

/** Restarts after 1 s, doubling up to one minute. */
export function keepRunning(options: KeepOptions): Kept {
  let delay = 1000;
  let stopped = false;
  let cancel: Cancel = () => {};
  let kill = () => {};
  const begin = () => {
    let first = true;
    let over = false;
    const child = spawn(options.file, [...options.args], { stdio: ['ignore', 'pipe', 'pipe'], env: toolEnvironment });
    kill = () => child.kill('SIGTERM');
    let words = '';
    child.stderr.on('data', (part: Buffer) => {
      words = (words + part.toString('latin1')).slice(-500);
    });
    child.stdout.on('data', (part: Buffer) => {
      delay = 1000;
      options.output(part, first);
      first = false;
    });
    const end = (reason: string) => {
      if (over) return;
      over = true;
      kill = () => {};
      if (stopped) return;
      options.ended?.(reason);
      cancel = options.clock.after(delay, begin);
      delay = Math.min(delay * 2, 60_000);
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code) => end(`code ${code}: ${words.trim()}`));
  };
  begin();
  return {
    stop() {
      stopped = true;
      cancel();
      kill();
    },
  };
}

export class LineReader {
  #rest = '';

  constructor(
    readonly line: (line: string) => void,
    readonly longest = 8192,
  ) {}

  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    if (this.#rest.length > this.longest) this.#rest = this.#rest.slice(0, this.longest + 1);
    for (const line of lines) if (line.length <= this.longest) this.line(line);
  }

  reset(): void {
    this.#rest = '';
  }
}
