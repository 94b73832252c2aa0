import { hash, verify } from '@node-rs/argon2';

/** OWASP's second argon2id setting: 19 MiB, two passes; about 17 ms of CPU. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs in libuv's small pool; two at once leave room for files. */
const maxAtOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Argon2id hash of a password, parameters and salt included. */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, options));
}

let decoy: Promise<string> | undefined;

/** Whether the password fits; with no hash it spends the same time and answers false, so that timing tells nothing. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this hash');
  const against = stored ?? (await decoy);
  const fits = await queued(() => verify(against, password));
  return fits && stored !== null;
}
