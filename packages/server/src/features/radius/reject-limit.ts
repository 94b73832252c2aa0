import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';

const windowMs = 10_000;
/** Per window: of a guest, of a client. */
const limits = { guest: 10, nas: 500 } as const;

/** Limits guesses, and rejects by forged sources. Accepts stay possible. */
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
    /** Returns true if requests get no answer. */
    isOver: (nasId: string, guest: string): boolean => current(`${nasId} ${guest}`).count >= limits.guest,
    /** @returns whether the client may still be answered */
    note(nasId: string, guest: string): boolean {
      current(`${nasId} ${guest}`).count += 1;
      const nas = current(nasId);
      nas.count += 1;
      return nas.count <= limits.nas;
    },
  };
}

export type RejectLimit = ReturnType<typeof createRejectLimit>;
