export interface GatheredOptions {
  /** So many are written together at the most. */
  most: number;
  /** Milliseconds that the first waits for others. */
  waitMs: number;
  /** How many are under way, those that wait here included: when all are here, nobody waits. */
  coming(): number;
}

interface Waiting<T, R> {
  value: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Writes together what comes one by one: `write` gives a result for each, in their order. One write at a time; what comes
 * meanwhile is the next. A write that fails fails for each of its values.
 */
export function gathered<T, R>(
  write: (values: readonly T[]) => Promise<readonly R[]>,
  { most, waitMs, coming }: GatheredOptions,
): (value: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing) return;
    writing = true;
    const taken = waiting.splice(0, most);
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
    if (waiting.length >= Math.min(most, coming())) void flush();
    else timer ??= setTimeout(() => void flush(), waitMs);
  }

  return (value) =>
    new Promise((resolve, reject) => {
      waiting.push({ value, resolve, reject });
      look();
    });
}
