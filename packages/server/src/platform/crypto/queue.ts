import { Failure } from '../failure.ts';

/**
 * Runs work so many at once, the rest in the order it came, and refuses what finds too many waiting: an answer that says
 * so at once is better than one that comes when nobody waits for it any more.
 * @throws Failure unavailable
 */
export function createQueue(atOnce: number, mostWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new Failure('unavailable');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
