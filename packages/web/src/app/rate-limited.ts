export interface RateLimit {
  /** Milliseconds from a call to the run. */
  firstMs?: number;
  /** Least milliseconds between the ends of two runs. */
  leastMs?: number;
}

export interface RateLimited {
  (): void;
  stop(): void;
}

/** A run takes at most this share of the time: slow queries run more rarely. */
const share = 0.25;

/**
 * Runs `work` shortly after a call, one run at a time, at most once per `leastMs`. A call during a run causes another,
 * because the current one may have read too early.
 */
export function rateLimited(
  work: () => Promise<unknown>,
  { firstMs = 150, leastMs = 1000 }: RateLimit = {},
): RateLimited {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let stopped = false;
  let next = 0;

  function call(): void {
    if (stopped || timer !== undefined) return;
    if (running) {
      again = true;
      return;
    }
    timer = setTimeout(() => void run(), Math.max(firstMs, next - Date.now()));
  }

  async function run(): Promise<void> {
    timer = undefined;
    running = true;
    const began = Date.now();
    await work().catch(() => undefined);
    running = false;
    const took = Date.now() - began;
    next = Date.now() + Math.max(leastMs - took, took / share - took);
    if (!again) return;
    again = false;
    call();
  }

  call.stop = () => {
    stopped = true;
    clearTimeout(timer);
  };
  return call;
}
