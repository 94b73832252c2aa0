import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asNumber, asRecord, asText } from '@yunxun/contract/device';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import { isWaker, launcherPath, rootFolder, type SystemFile, unitPath } from './system-files.ts';
import { isSigned, largestBundle, readStatement } from './upgrade.ts';
import { isNewer, versionForm } from './versions.ts';

/**
 * Upgrades launcher and units, as root from root's own copy. Treats the service user's folders as hostile: a bundle
 * there must have the installation key's signature and be newer than root's copy before use.
 *
 * Launcher and service unit change first, on trial. The marker holds their previous contents, so a reboot resumes the
 * trial. The other files follow once the version was online.
 */
export interface RootUpgradeOptions {
  root: string;
  program: string;
  running: string;
  systemctl(...args: string[]): Promise<void>;
  /** Runs the verified bundle as root; parses the output of `files`. */
  filesOf(bundle: string): Promise<unknown>;
  /** Returns to the previous version, through the launcher as the service user. */
  giveWay(): Promise<void>;
  say(line: string): void;
  /** Milliseconds to come online. */
  within: number;
  every: number;
}

export const rootKeyPath = `${rootFolder}/signing-key.pem`;
export const rootBundlePath = `${rootFolder}/yunxun-edge.mjs`;
const nextBundlePath = `${rootFolder}/next.mjs`;
const markerPath = `${rootFolder}/trial.json`;
const service = 'yunxun-edge.service';
const onTrialPaths: readonly string[] = [launcherPath, unitPath];

/** Version on trial and the files it replaced (text null: none existed). */
interface Marker {
  version: string;
  replaced: { path: string; text: string | null; mode: number }[];
}

export async function upgradeUnits(options: RootUpgradeOptions): Promise<void> {
  const { root, systemctl, say } = options;
  const at = (path: string) => join(root, path);
  let marker = readMarker(at(markerPath));
  let files: SystemFile[];
  try {
    if (marker === null) {
      const { version, bundle } = verifiedVersion(options);
      writeDurably(at(nextBundlePath), bundle, 0o644);
      files = readFiles(await options.filesOf(at(nextBundlePath)));
      marker = { version, replaced: files.filter(isOnTrial).map(({ path, mode }) => replacedFile(root, path, mode)) };
      writeDurably(at(markerPath), JSON.stringify(marker));
    } else files = readFiles(await options.filesOf(at(nextBundlePath)));
  } catch (error) {
    say(`units stay as they are: ${error instanceof Error ? error.message : String(error)}`);
    if (marker === null) return systemctl('restart', service);
    return putBack(options, marker);
  }
  try {
    for (const file of files.filter(isOnTrial)) writeDurably(at(file.path), file.text, file.mode);
    await systemctl('daemon-reload');
    await systemctl('restart', service);
    if (!(await comesOnline(options, marker.version))) throw new Error('it was not online in time');
  } catch (error) {
    say(`version ${marker.version}: ${error instanceof Error ? error.message : String(error)}`);
    return putBack(options, marker);
  }
  for (const file of files) writeDurably(at(file.path), file.text, file.mode);
  writeDurably(at(rootBundlePath), readFileSync(at(nextBundlePath), 'utf8'), 0o644);
  removeDurably(at(markerPath));
  removeDurably(at(nextBundlePath));
  await systemctl('daemon-reload');
  // including new units
  const wakers = files.map(({ path }) => basename(path)).filter(isWaker);
  if (wakers.length > 0) await systemctl('enable', '--now', ...wakers);
  say(`units and launcher of version ${marker.version} are in place`);
}

/**
 * Returns the version that the service user selected.
 * @throws if unsigned, or not newer than root's
 */
function verifiedVersion({ root, program, running }: RootUpgradeOptions): { version: string; bundle: string } {
  const keyFile = join(root, rootKeyPath);
  if (!existsSync(keyFile)) throw new Error('no signing key was kept at installation; run the enrolment command again');
  const version = currentVersion(program);
  if (version === null) throw new Error('no version is named');
  if (!isNewer(version, running)) throw new Error(`version ${version} is not newer than ${running}`);
  const folder = join(program, 'versions', version);
  const statement = readStatement(readHostile(join(folder, 'yunxun-edge.mjs.sig'), 4096));
  if (statement === null || statement.version !== version) throw new Error('its signed statement cannot be read');
  if (!isSigned(statement, readFileSync(keyFile, 'utf8')))
    throw new Error('its signature is not by the key of the installation');
  const bundle = readHostile(join(folder, 'yunxun-edge.mjs'), largestBundle);
  if (createHash('sha256').update(bundle).digest('hex') !== statement.sha256)
    throw new Error('it is not the signed bundle');
  return { version, bundle: bundle.toString('utf8') };
}

function currentVersion(program: string): string | null {
  try {
    const line = readHostile(join(program, 'current'), 64).toString('utf8').trim();
    return versionForm.test(line) ? line : null;
  } catch {
    return null;
  }
}

/** Accepts a regular file only, no link, at most `largest` bytes. */
function readHostile(path: string, largest: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > largest) throw new Error(`${path} is not a file of at most ${largest} bytes`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function isOnTrial({ path }: SystemFile): boolean {
  return onTrialPaths.includes(path);
}

function replacedFile(root: string, path: string, mode: number): Marker['replaced'][number] {
  const file = join(root, path);
  return { path, mode, text: existsSync(file) ? readFileSync(file, 'utf8') : null };
}

async function comesOnline({ program, within, every }: RootUpgradeOptions, version: string): Promise<boolean> {
  const over = performance.now() + within;
  while (performance.now() < over) {
    if (currentVersion(program) !== version) return false;
    if (!existsSync(join(program, 'trial'))) return true;
    await new Promise((turn) => setTimeout(turn, every));
  }
  return false;
}

async function putBack(options: RootUpgradeOptions, { version, replaced }: Marker): Promise<void> {
  const { root, program, systemctl, giveWay, say } = options;
  await systemctl('stop', service).catch((error: unknown) => say(String(error)));
  for (const { path, text, mode } of replaced) {
    if (text === null) removeDurably(join(root, path));
    else writeDurably(join(root, path), text, mode);
  }
  await systemctl('daemon-reload');
  if (currentVersion(program) === version && existsSync(join(program, 'trial'))) await giveWay();
  removeDurably(join(root, markerPath));
  removeDurably(join(root, nextBundlePath));
  await systemctl('restart', service);
  say(`units and launcher of before version ${version} are back`);
}

function readMarker(path: string): Marker | null {
  const read = asRecord<Marker>(readJson(path));
  const version = asText(read.version, 64);
  if (version === null || !Array.isArray(read.replaced)) return null;
  return { version, replaced: read.replaced as Marker['replaced'] };
}

/** Trusts the texts: the bundle was verified. */
function readFiles(value: unknown): SystemFile[] {
  if (!Array.isArray(value)) throw new Error('the version names no files');
  return value.map((entry: unknown) => {
    const { path, text, mode } = asRecord<SystemFile>(entry);
    const [where, what, rights] = [asText(path, 256), asText(text, 262_144), asNumber(mode)];
    if (where === null || !/^\/(usr|etc)\/[\w./-]+$/.test(where) || where.includes('..'))
      throw new Error('a path is wrong');
    if (what === null || rights === null) throw new Error(`the file ${where} is incomplete`);
    return { path: where, text: what, mode: rights & 0o755 };
  });
}
