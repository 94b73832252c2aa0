import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresError } from './error.ts';
import { type Place, shortHash } from './place.ts';

/** Without the final NUL. */
const longest = process.platform === 'darwin' ? 103 : 107;
const socketName = '.s.PGSQL.5432';

export function socketFits(dir: string): boolean {
  return Buffer.byteLength(join(dir, socketName)) <= longest;
}

/**
 * Uses a short directory for long paths.
 * @throws PostgresError if another user owns it
 */
export function openSocketDir(place: Place): string {
  const beside = join(place.baseDir, 'socket');
  const short = `yunxun-${place.user.uid}-${shortHash(place.baseDir)}`;
  const dir = [beside, join(tmpdir(), short), join('/tmp', short)].find(socketFits)!;
  try {
    mkdirSync(dir, { mode: 0o700 });
    if (place.user.switched) chownSync(dir, place.user.uid, place.user.gid);
    chmodSync(dir, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(dir);
  if (!found.isDirectory() || found.uid !== place.user.uid || found.mode & 0o077) {
    throw new PostgresError(
      `${dir} must be a directory of the user ${place.user.name} alone. Remove it and start again.`,
    );
  }
  // a stale lock counts if another program has the pid
  for (const name of readdirSync(dir)) {
    if (name.startsWith(socketName)) rmSync(join(dir, name), { force: true });
  }
  return dir;
}

export function closeSocketDir(dir: string, place: Place): void {
  if (dir !== join(place.baseDir, 'socket')) rmSync(dir, { recursive: true, force: true });
}
