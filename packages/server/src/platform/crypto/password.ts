import { hash, hashRaw, verify } from '@node-rs/argon2';
import { createQueue } from './queue.ts';

/** OWASP's second argon2id setting: 19 MiB, two passes; about 17 ms of CPU. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes run in libuv's small thread pool; two at once leave threads for file access. One at once doubled sign-in time
 * and helped no other call (bench/sign-in.ts). 500 queued hashes are about 10 s of one core.
 */
const queued = createQueue(2, 500);

/** @throws Failure unavailable when the queue is full */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, options));
}

let decoy: Promise<string> | undefined;

/**
 * Takes as long without a stored hash, so timing does not reveal whether the account exists.
 * @throws Failure unavailable when the queue is full
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  // bypasses the queue: a rejected promise would be cached for good
  decoy ??= hash('no account has this hash', options);
  const against = stored ?? (await decoy);
  const fits = await queued(() => verify(against, password));
  return fits && stored !== null;
}

/**
 * Returns the argon2id digest under a known salt (at least 8 bytes), for lookup by digest.
 * @throws Failure unavailable when the queue is full
 */
export function digestSecret(secret: string, salt: Buffer): Promise<Buffer> {
  return queued(() => hashRaw(secret, { ...options, salt }));
}
