import { afterAll, afterEach, beforeEach } from 'vitest';

/** Ends in reverse order of creation. */
export interface Part {
  stop(): unknown;
  logText?(): string | Promise<string>;
}

/** Recreates the fixture after a failed test, and prints its last states. */
export function labFixture(make: (own: <T extends Part>(part: T) => T) => Promise<void>): void {
  let parts: Part[] | null = null;
  let broken = false;
  const end = async () => {
    const ending = (parts ?? []).toReversed();
    parts = null;
    for (const part of ending) {
      try {
        await part.stop();
      } catch (error) {
        // other parts would block the next fixture
        console.error('a part of the world did not end:', error);
      }
    }
  };
  beforeEach(async () => {
    if (broken) await end();
    if (parts !== null) return;
    const made: Part[] = [];
    broken = true;
    parts = made;
    await make((part) => {
      made.push(part);
      return part;
    });
    broken = false;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    broken = true;
    for (const part of parts ?? []) {
      const words = await Promise.resolve(part.logText?.()).catch(
        (error: unknown) => `nothing to be had: ${String(error)}`,
      );
      if (words) console.error(`--- ${task.name}, try ${(task.result.retryCount ?? 0) + 1}\n${words}`);
    }
  });
  afterAll(end);
}

export function tail(text: string, lines = 60): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Rejects with `what` after `ms` milliseconds. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not in ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
