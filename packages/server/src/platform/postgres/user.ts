import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { PostgresError, remedyFor } from './error.ts';

/** PostgreSQL refuses to run as root. */
export interface ServerUser {
  uid: number;
  gid: number;
  name: string;
  /** This process is root and the server's user is not. */
  switched: boolean;
}

export interface UserSource {
  uid: number;
  gid: number;
  ownName(): string;
  passwd(): string;
  addUser(name: string): void;
}

export function thisMachine(): UserSource {
  return {
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    ownName: () => userInfo().username,
    passwd: () => readFileSync('/etc/passwd', 'utf8'),
    addUser: addSystemUser,
  };
}

export const dedicatedUser = 'yunxun';

/**
 * Returns the current user; for root `postgres`, our own system user, or `nobody`.
 * @throws PostgresError without a name or available user
 */
export function chooseUser(source: UserSource): ServerUser {
  if (source.uid !== 0) return { uid: source.uid, gid: source.gid, name: nameOf(source), switched: false };
  const found = findUser(source, 'postgres') ?? findUser(source, dedicatedUser);
  if (found) return found;
  try {
    source.addUser(dedicatedUser);
  } catch {
    // no useradd, or a read-only system: falls back to nobody
  }
  const other = findUser(source, dedicatedUser) ?? findUser(source, 'nobody');
  if (other) return other;
  throw new PostgresError(
    `PostgreSQL does not run as root, and this system has no user to run it as. Make a user named ${dedicatedUser}. ${remedyFor}`,
  );
}

/** Returns the owner, as which PostgreSQL must run. */
export function userOfOwner(source: UserSource, uid: number, gid: number): ServerUser {
  const line = table(source).find((entry) => entry.uid === uid);
  return { uid, gid, name: line?.name ?? String(uid), switched: uid !== source.uid };
}

function nameOf(source: UserSource): string {
  try {
    return source.ownName();
  } catch {
    throw new PostgresError(
      `The user id ${source.uid} has no entry in /etc/passwd, and PostgreSQL does not work for a user without a name. Start Yunxun as a named user, or add one: echo 'yunxun:x:${source.uid}:${source.gid}::/nonexistent:/bin/false' >> /etc/passwd. ${remedyFor}`,
    );
  }
}

function findUser(source: UserSource, name: string): ServerUser | null {
  const entry = table(source).find((line) => line.name === name && line.uid !== 0);
  return entry ? { ...entry, switched: true } : null;
}

function table(source: UserSource): { name: string; uid: number; gid: number }[] {
  let text: string;
  try {
    text = source.passwd();
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

export function addSystemUser(name: string): void {
  execFileSync(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      name,
    ],
    { stdio: 'pipe', env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` } },
  );
}
