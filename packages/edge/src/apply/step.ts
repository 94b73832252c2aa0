import type { PlanTunnel } from '../render/plan.ts';

/**
 * Idempotent change as plain data: a program with arguments (never a shell command), a file, a kernel setting or a
 * daemon.
 */
export type Step =
  | {
      do: 'run';
      argv: readonly [program: string, ...args: string[]];
      input?: string;
      /** Accepted failure: it `exists` already, or is `absent`. */
      fine?: 'exists' | 'absent';
      optional?: true;
    }
  | { do: 'write'; path: string; text: string; executable?: boolean }
  | { do: 'remove'; path: string }
  | { do: 'touch'; path: string }
  | { do: 'mac'; device: string; mac: string; inherits?: boolean; fine?: 'absent' }
  | { do: 'sysctl'; path: string; value: string; optional?: boolean }
  /** Replaces port, key and peers; the private key is in the file `key`. */
  | ({ do: 'tunnel' } & PlanTunnel)
  /** Checks the command line for `of`: pids are reused. */
  | { do: 'stop'; pidFile: string; of: string }
  | { do: 'disconnect'; macs: readonly string[] }
  /** Stops, or starts again, another DNS server of the host. */
  | { do: 'port53'; op: 'take' | 'give'; optional?: true }
  | { do: 'start'; argv: readonly [program: string, ...args: string[]]; pidFile: string; of: string };

export class StepFailed extends Error {
  readonly step: Step;

  constructor(step: Step, detail: string) {
    super(`${stepText(step)}: ${detail}`);
    this.name = 'StepFailed';
    this.step = step;
  }
}

export interface Executor {
  /** @throws StepFailed */
  perform(step: Step): Promise<void>;
}

export function stepText(step: Step): string {
  switch (step.do) {
    case 'run':
      return `${step.argv.map(readable).join(' ')}${step.input === undefined ? '' : ' <<<'}`;
    case 'start':
      return `start ${step.argv.map(readable).join(' ')}`;
    case 'stop':
      return `stop ${step.of}`;
    case 'tunnel':
      return `tunnel ${step.device}`;
    case 'mac':
      return `mac ${step.device}=${step.mac}`;
    case 'disconnect':
      return `disconnect ${step.macs.join(' ')}`;
    case 'port53':
      return `${step.op} port 53`;
    case 'sysctl':
      return `sysctl ${step.path}=${step.value}`;
    case 'touch':
    case 'write':
    case 'remove':
      return `${step.do} ${step.path}`;
  }
}

function readable(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

export interface ToolResult {
  code: number;
  stdout: string;
  stderr: string;
}
