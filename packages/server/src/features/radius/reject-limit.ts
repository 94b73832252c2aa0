import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';

const windowMs = 10_000;
/** Per window: of a guest, of a client. */
const limits = { guest: 10, nas: 500 } as const;

interface Window {
  since: number;
  rejected: number;
  running: number;
  waiting: (() => void)[];
}

export interface GuestSlot {
  release(): void;
  /** @returns whether the client may still answer */
  reject(): boolean;
}

/** Limits guesses, and rejects by forged sources. Accepts stay possible. */
export function createRejectLimit(clock: Clock) {
  const windows = boundedCache<Window>(20_000);

  function fresh(window: Window): Window {
    const now = clock.now().getTime();
    if (now - window.since >= windowMs) Object.assign(window, { since: now, rejected: 0 });
    return window;
  }

  function windowOf(key: string): Window {
    const window = windows.get(key) ?? { since: 0, rejected: 0, running: 0, waiting: [] };
    windows.set(key, window);
    return fresh(window);
  }

  function wake(window: Window): void {
    const { rejected, running, waiting } = fresh(window);
    const isFull = rejected >= limits.guest;
    for (const go of waiting.splice(0, isFull ? waiting.length : limits.guest - rejected - running)) go();
  }

  function slotOf(window: Window, nasId: string): GuestSlot {
    let held = true;
    return {
      release() {
        if (held) window.running -= 1;
        else fresh(window).rejected = Math.max(0, window.rejected - 1);
        held = false;
        wake(window);
      },
      reject() {
        held = false;
        window.running -= 1;
        fresh(window).rejected += 1;
        const nas = windowOf(nasId);
        nas.rejected += 1;
        wake(window);
        return nas.rejected <= limits.nas;
      },
    };
  }

  return {
    /** Waits for running checks; null: too many rejects. The caller settles the slot. */
    async take(nasId: string, guest: string): Promise<GuestSlot | null> {
      const window = windowOf(`${nasId} ${guest}`);
      for (;;) {
        const { rejected, running } = fresh(window);
        if (rejected >= limits.guest) return null;
        if (rejected + running < limits.guest) break;
        await new Promise<void>((resolve) => window.waiting.push(resolve));
      }
      window.running += 1;
      return slotOf(window, nasId);
    },
  };
}

export type RejectLimit = ReturnType<typeof createRejectLimit>;
