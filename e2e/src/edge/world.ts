import { afterAll, afterEach, beforeEach } from 'vitest';

/** Part of a world: ended with it, in the opposite order of being made. */
export interface Part {
  stop(): unknown;
  /** What it saw last, for whoever has to find out why a test failed. */
  told?(): string | Promise<string>;
}

/**
 * The world of a file of tests, made before the first of them, and made anew after one that failed, for its second try or
 * for the next: what a failed test leaves behind is no ground for another. A test that needs more than `make` gives asks for
 * it itself, by a function that does nothing when it is there. What its parts saw last is printed beside a failure.
 */
export function world(make: (own: <T extends Part>(part: T) => T) => Promise<void>): void {
  let parts: Part[] | null = null;
  let broken = false;
  const end = async () => {
    const ending = (parts ?? []).toReversed();
    parts = null;
    for (const part of ending) {
      try {
        await part.stop();
      } catch (error) {
        // the others end all the same: what they hold would be in the way of the next world
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
      const words = await Promise.resolve(part.told?.()).catch(
        (error: unknown) => `nothing to be had: ${String(error)}`,
      );
      if (words) console.error(`--- ${task.name}, try ${(task.result.retryCount ?? 0) + 1}\n${words}`);
    }
  });
  afterAll(end);
}

/** The last lines of a text. */
export function tail(text: string, lines = 60): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}

/** Rejects with words of its own when something takes longer than this, milliseconds. */
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
