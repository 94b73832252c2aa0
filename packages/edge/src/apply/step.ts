/**
 * One change of the box as plain data: a program with its arguments (never a shell's text), or a file, a setting of the
 * kernel, a daemon of ours. Every step may be done twice: what is there already stays, what is gone already is gone.
 */
export type Step =
  | {
      do: 'run';
      argv: readonly [program: string, ...args: string[]];
      /** Standard input. */
      input?: string;
      /** What the program may complain of: that the thing `exists` already, or is `absent` already. */
      fine?: 'exists' | 'absent';
    }
  | { do: 'write'; path: string; text: string; executable?: boolean }
  | { do: 'remove'; path: string }
  /** Makes an empty file where there is none. */
  | { do: 'touch'; path: string }
  /** `net/ipv4/ip_forward` = `1`; an optional one that the kernel does not have is left. */
  | { do: 'sysctl'; path: string; value: string; optional?: boolean }
  /** Ends the daemon whose pid the file holds, if its command line has `of` in it: a pid may belong to somebody else by now. */
  | { do: 'stop'; pidFile: string; of: string }
  /** Starts a daemon that writes its own pid, unless the one of the file lives and has `of` in its command line. */
  | { do: 'start'; argv: readonly [program: string, ...args: string[]]; pidFile: string; of: string };

/** A step that could not be done, with what the program said. */
export class StepFailed extends Error {
  readonly step: Step;

  constructor(step: Step, detail: string) {
    super(`${stepText(step)}: ${detail}`);
    this.name = 'StepFailed';
    this.step = step;
  }
}

/** Does steps. One implementation changes the machine, one (in tests) a model of it. */
export interface Executor {
  /** @throws StepFailed */
  perform(step: Step): Promise<void>;
}

/** A step for a person: what `dry-run` prints. */
export function stepText(step: Step): string {
  switch (step.do) {
    case 'run':
      return `${step.argv.map(readable).join(' ')}${step.input === undefined ? '' : ' <<<'}`;
    case 'start':
      return `start ${step.argv.map(readable).join(' ')}`;
    case 'stop':
      return `stop ${step.of}`;
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
