import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { PostgresError, remedyFor } from './error.ts';
import { writeWhole } from './files.ts';
import { canEnter } from './run.ts';
import { chooseUser, type ServerUser, type UserSource, userOfOwner } from './user.ts';

export interface Place {
  dataDir: string;
  baseDir: string;
  clusterDir: string;
  user: ServerUser;
}

/** First line: path of an external database. */
export const locationName = 'database-location.txt';
/** In an external database: its data folder. */
const backName = 'data-folder';

export function openDataFolder(dataDir: string, source: UserSource): string {
  try {
    if (!existsSync(dataDir)) {
      // pass through root's folder, not list it
      const mode = source.uid === 0 ? 0o711 : 0o700;
      mkdirSync(dataDir, { recursive: true, mode });
      chmodSync(dataDir, mode);
    }
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw new PostgresError(
      `The data folder ${dataDir} cannot be used by this user (${(error as Error).message}). Start Yunxun as the folder's owner, or choose another folder with YUNXUN_DATA.`,
    );
  }
}

/**
 * Uses `systemDir` if the server's user cannot reach root's folder.
 * @throws PostgresError if the recorded place is missing, or of another folder or user
 */
export function findPlace(dataDir: string, source: UserSource, systemDir: string): Place {
  const inside = join(dataDir, 'postgres');
  const recorded = readLocation(dataDir);
  const known = recorded?.baseDir ?? (existsSync(join(inside, 'cluster')) ? inside : null);
  if (known === null) {
    const user = chooseUser(source);
    const baseDir = prepareInside(inside, user) ? inside : prepareElsewhere(dataDir, user, systemDir);
    return { dataDir, baseDir, clusterDir: join(baseDir, 'cluster'), user };
  }
  const clusterDir = join(known, 'cluster');
  const user = ownerOf(clusterDir, source, known);
  if (recorded?.moved) writeWhole(join(known, backName), `${dataDir}\n`, 0o644);
  return { dataDir, baseDir: known, clusterDir, user };
}

function readLocation(dataDir: string): { baseDir: string; moved: boolean } | null {
  const file = join(dataDir, locationName);
  if (!existsSync(file)) return null;
  const baseDir = readFileSync(file, 'utf8').split('\n')[0]!.trim();
  let owner: string;
  try {
    owner = readFileSync(join(baseDir, backName), 'utf8').trim();
  } catch {
    throw new PostgresError(
      `The database of ${dataDir} should live in ${baseDir}, but it is not there. Bring that directory back, or remove ${file} to begin with an empty database.`,
    );
  }
  if (owner !== dataDir && existsSync(join(owner, locationName))) {
    throw new PostgresError(
      `The database in ${baseDir} belongs to the data folder ${owner}, and ${dataDir} looks like a copy of that folder. Use the original, or remove ${file} to begin with an empty database.`,
    );
  }
  return { baseDir, moved: owner !== dataDir };
}

function prepareInside(inside: string, user: ServerUser): boolean {
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  if (!user.switched) return true;
  chmodSync(inside, 0o711);
  const trial = join(inside, 'trial');
  mkdirSync(trial, { recursive: true, mode: 0o700 });
  try {
    // some mounts do not allow a change of owner
    chownSync(trial, user.uid, user.gid);
    if (canEnter(trial, user)) return true;
  } catch {
    // falls back to the system directory
  } finally {
    rmdirSync(trial);
  }
  if (readdirSync(inside).length === 0) rmdirSync(inside);
  return false;
}

function prepareElsewhere(dataDir: string, user: ServerUser, systemDir: string): string {
  const baseDir = freeName(join(systemDir, shortHash(dataDir)));
  try {
    if (!existsSync(systemDir)) {
      mkdirSync(systemDir, { recursive: true });
      chmodSync(systemDir, 0o755);
    }
    mkdirSync(baseDir, { recursive: true });
    chmodSync(baseDir, 0o711);
  } catch (error) {
    throw new PostgresError(
      `The user ${user.name}, who runs PostgreSQL, cannot reach ${dataDir}, and ${baseDir} cannot be made: ${(error as Error).message}. Choose a data folder with YUNXUN_DATA that other users can enter. ${remedyFor}`,
    );
  }
  if (!canEnter(baseDir, user)) {
    throw new PostgresError(
      `PostgreSQL does not run as root, and the user ${user.name} can enter neither ${dataDir} nor ${baseDir}. ${remedyFor}`,
    );
  }
  writeWhole(join(baseDir, backName), `${dataDir}\n`, 0o644);
  writeWhole(
    join(dataDir, locationName),
    `${baseDir}

The database of this data folder lives in the directory on the first line: Yunxun was started by root, PostgreSQL does
not run as root, and its user (${user.name}) cannot enter this folder. Both belong together: back up and move both.

本数据目录的数据库存放在第一行所写的目录中：云巡由 root 启动，而 PostgreSQL 不能以 root 身份运行，
其运行用户（${user.name}）无法进入本目录。两处缺一不可，备份和迁移时请一并处理。
`,
    0o644,
  );
  return baseDir;
}

/** Keeps an emptied folder's database beside the new one. */
function freeName(wanted: string): string {
  let name = wanted;
  for (let next = 2; existsSync(join(name, 'cluster')); next += 1) name = `${wanted}-${next}`;
  return name;
}

function ownerOf(clusterDir: string, source: UserSource, baseDir: string): ServerUser {
  if (!existsSync(clusterDir)) return chooseUser(source);
  const { uid, gid } = statSync(clusterDir);
  if (uid === 0) {
    throw new PostgresError(
      `The database in ${clusterDir} belongs to root, and PostgreSQL does not run as root. Give it to its user: chown -R ${chooseUser(source).name} ${clusterDir}`,
    );
  }
  const user = userOfOwner(source, uid, gid);
  if (user.switched && source.uid !== 0) {
    throw new PostgresError(
      `The database in ${clusterDir} belongs to the user ${user.name}, so Yunxun must be started by that user or by root.`,
    );
  }
  if (user.switched && !canEnter(baseDir, user)) {
    throw new PostgresError(
      `The user ${user.name}, who runs PostgreSQL, can no longer enter ${baseDir}. Let other users pass through the directories above it (chmod o+x).`,
    );
  }
  return user;
}

export function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
