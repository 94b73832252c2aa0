import { hash, hashRaw, verify } from '@node-rs/argon2';
import { createQueue } from './queue.ts';

/** OWASP's second argon2id setting: 19 MiB, two passes; about 17 ms of CPU. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing runs in libuv's small pool; two at once leave room for files. One at once was tried on two cores: other calls
 * were no quicker beside 50 sign-ins, and those took twice as long (bench/sign-in.ts). 500 that wait are about ten seconds
 * of work for one core.
 */
const queued = createQueue(2, 500);

/** Argon2id hash of a password, parameters and salt included. @throws Failure unavailable when too many wait */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, options));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password fits; with no hash it spends the same time and answers false, so that timing tells nothing.
 * @throws Failure unavailable when too many wait
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  // past the queue: one that were refused would be refused for ever
  decoy ??= hash('no account has this hash', options);
  const against = stored ?? (await decoy);
  const fits = await queued(() => verify(against, password));
  return fits && stored !== null;
}

/**
 * Argon2id digest of a short secret under a salt of at least 8 bytes: for secrets of which one of several has to be found
 * by its digest. @throws Failure unavailable when too many wait
 */
export function digestSecret(secret: string, salt: Buffer): Promise<Buffer> {
  return queued(() => hashRaw(secret, { ...options, salt }));
}
