import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Packet } from './packet.ts';

/** Milliseconds (RFC 5080, section 2.2.2). */
const keptMs = 5000;
const maxKept = 100_000;

/** Repeats answers; none while one is in work. */
export function createDuplicates() {
  const answers = boundedCache<{ answer: Buffer | null }>(maxKept, { ttl: keptMs });

  return {
    async once(from: string, request: Packet, work: () => Promise<Buffer | null>): Promise<Buffer | null> {
      const key = `${from} ${request.code} ${request.identifier} ${request.authenticator.toString('latin1')}`;
      const known = answers.get(key);
      if (known) return known.answer;
      const entry: { answer: Buffer | null } = { answer: null };
      answers.set(key, entry);
      try {
        entry.answer = await work();
      } finally {
        // the gateway asks again
        if (!entry.answer) answers.delete(key);
      }
      return entry.answer;
    },
  };
}
