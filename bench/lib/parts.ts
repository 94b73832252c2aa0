import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inherited } from './server.ts';

export function startPart(file: string, env: Record<string, string> = {}): ChildProcess {
  return fork(join(import.meta.dirname, '..', file), {
    execArgv: ['--import', 'tsx'],
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

export async function answer(part: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  try {
    return await Promise.race([
      once(part, 'message', { signal: stop.signal }).then(([message]) => message as unknown),
      once(part, 'exit', { signal: stop.signal }).then(() => {
        throw new Error('a part of the bench ended');
      }),
    ]);
  } finally {
    stop.abort();
  }
}

export async function ask<T>(part: ChildProcess, message: object | string): Promise<T> {
  const answered = answer(part);
  part.send(message);
  return (await answered) as T;
}
