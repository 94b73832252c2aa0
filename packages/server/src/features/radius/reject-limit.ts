import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';

const windowMs = 10_000;
/** Rejects in a window: of one guest, and of one RADIUS client. */
const limits = { guest: 10, nas: 500 } as const;

/** Limits guessing by one guest, and the rejects that a forged source can cause. Accepts stay possible. */
export function createRejectLimit(clock: Clock) {
  const rejects = new LRUCache<string, { since: number; count: number }>({ max: 20_000 });

  function current(key: string): { since: number; count: number } {
    const now = clock.now().getTime();
    const known = rejects.get(key);
    if (known && now - known.since < windowMs) return known;
    const fresh = { since: now, count: 0 };
    rejects.set(key, fresh);
    return fresh;
  }

  return {
    /** Whether the guest's requests get no answer. */
    isOver: (nasId: string, guest: string): boolean => current(`${nasId} ${guest}`).count >= limits.guest,
    /** Counts a reject. Returns whether the client may still be answered. */
    note(nasId: string, guest: string): boolean {
      current(`${nasId} ${guest}`).count += 1;
      const nas = current(nasId);
      nas.count += 1;
      return nas.count <= limits.nas;
    },
  };
}

export type RejectLimit = ReturnType<typeof createRejectLimit>;
