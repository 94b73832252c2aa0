export interface BatcherOptions {
  max: number;
  /** How long the first value waits for more, in milliseconds. */
  waitMs?: number;
  /** Number of values still expected; the batch is written early once all are queued. */
  coming?(): number;
}

interface Waiting<T, R> {
  value: T;
  since: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Combines writes; one result per value, in order. One batch at a time; a failure rejects all its values. */
export function createBatcher<T, R>(
  write: (values: readonly T[]) => Promise<readonly R[]>,
  { max, waitMs = 0, coming = () => 0 }: BatcherOptions,
): (value: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing) return;
    writing = true;
    const taken = waiting.splice(0, max);
    try {
      const results = await write(taken.map(({ value }) => value));
      for (const [at, one] of taken.entries()) one.resolve(results[at] as R);
    } catch (error) {
      for (const one of taken) one.reject(error);
    }
    writing = false;
    look();
  }

  function look(): void {
    if (writing || waiting.length === 0) return;
    // it may have waited for the batch before
    const left = waitMs - (performance.now() - waiting[0]!.since);
    if (waiting.length >= Math.min(max, coming()) || (left <= 0 && waitMs > 0)) void flush();
    else timer ??= setTimeout(() => void flush(), left);
  }

  return (value) =>
    new Promise((resolve, reject) => {
      waiting.push({ value, since: performance.now(), resolve, reject });
      look();
    });
}
