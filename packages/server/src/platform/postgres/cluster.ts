import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { PostgresError, remedyFor } from './error.ts';
import { syncDir, writeWhole } from './files.ts';
import type { Place } from './place.ts';
import { run } from './run.ts';

export const ownerName = 'yunxun_owner';

/**
 * Creates it atomically once.
 * @param durable false in tests: no fsync
 * @returns the owner's password
 * @throws PostgresError
 */
export async function openCluster(place: Place, binaries: Binaries, durable: boolean): Promise<string> {
  const passwordFile = join(place.baseDir, 'owner.password');
  if (existsSync(place.clusterDir)) {
    refuseOtherVersion(place, binaries);
    return readPassword(passwordFile, place);
  }
  removeDrafts(place);
  if (!existsSync(passwordFile)) writeWhole(passwordFile, `${randomBytes(24).toString('base64url')}\n`, 0o600);
  const password = readPassword(passwordFile, place);
  await initialise(place, binaries, password, durable);
  return password;
}

async function initialise(place: Place, binaries: Binaries, password: string, durable: boolean): Promise<void> {
  const { baseDir, clusterDir, user } = place;
  const draft = `${clusterDir}.new-${randomBytes(4).toString('hex')}`;
  // readable for the server's user
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(draft, { mode: 0o700 });
  chmodSync(draft, 0o700);
  if (user.switched) {
    for (const path of [passwordFile, draft]) chownSync(path, user.uid, user.gid);
  }
  const args = [
    `--pgdata=${draft}`,
    `--username=${ownerName}`,
    `--pwfile=${passwordFile}`,
    '--auth-local=scram-sha-256',
    '--auth-host=reject',
    '--encoding=UTF8',
    // independent of the machine's C library
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--text-search-config=simple',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  const { status, output } = await run(binaries.initdb, args, user);
  rmSync(passwordFile);
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new PostgresError(`The database could not be made in ${baseDir}. initdb said: ${output}`);
  }
  renameSync(draft, clusterDir);
  syncDir(baseDir);
}

function removeDrafts({ baseDir }: Place): void {
  for (const name of readdirSync(baseDir)) {
    if (name.startsWith('cluster.new-')) rmSync(join(baseDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function refuseOtherVersion({ clusterDir }: Place, { major }: Binaries): void {
  const file = join(clusterDir, 'PG_VERSION');
  const written = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
  if (Number.isNaN(written)) {
    throw new PostgresError(`${clusterDir} is not a database of PostgreSQL: its PG_VERSION is missing. ${remedyFor}`);
  }
  if (written !== major) {
    throw new PostgresError(
      `The database in ${clusterDir} was written by PostgreSQL ${written}, and this Yunxun carries PostgreSQL ${major}, which cannot read it. Start the Yunxun that wrote it, back it up there, and restore the backup into an empty data folder of this one. ${remedyFor}`,
    );
  }
}

function readPassword(file: string, { clusterDir }: Place): string {
  if (!existsSync(file)) {
    throw new PostgresError(
      `${file} is missing; it holds the password of the database in ${clusterDir}. Bring it back.`,
    );
  }
  return readFileSync(file, 'utf8').trim();
}
