import { hash, hashRaw, verify } from '@node-rs/argon2';
import { createQueue } from './queue.ts';

/** OWASP's second setting: 19 MiB, two passes; 17 ms of CPU. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * In libuv's small pool: two at once leave threads for files; one doubled sign-in time and helped no other call
 * (bench/sign-in.ts). 500 queued are about 10 s of a core.
 */
const queued = createQueue(2, 500);

/** @throws Failure unavailable when the queue is full */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, options));
}

let decoy: Promise<string> | undefined;

/**
 * Takes as long without a stored hash: timing must not reveal accounts.
 * @throws Failure unavailable when the queue is full
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  // unqueued: a rejection would be cached for good
  decoy ??= hash('no account has this hash', options);
  const against = stored ?? (await decoy);
  const fits = await queued(() => verify(against, password));
  return fits && stored !== null;
}

/**
 * Digests under a known salt (8 bytes at least), for look-ups.
 * @throws Failure unavailable when the queue is full
 */
export function digestSecret(secret: string, salt: Buffer): Promise<Buffer> {
  return queued(() => hashRaw(secret, { ...options, salt }));
}
