import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeDurably, writeDurably } from '../apply/durable.ts';

/** Names of versions: `0.2.0`, `0.2.1-rc.1`. Such a name is also a folder's. */
export const versionForm = /^\d{1,5}\.\d{1,5}\.\d{1,5}(?:[-+][A-Za-z0-9.]{1,32})?$/;

/** How long a start of a new version has to be online, in seconds. */
export const trialSeconds = 300;

/**
 * The agent's versions on disk, as the launcher reads them. Every change is one rename, in an order in which a power cut
 * leaves either version startable.
 */
export class Versions {
  readonly #folder: string;

  /** @param folder `program` of the places */
  constructor(folder: string) {
    this.#folder = folder;
  }

  get current(): string | null {
    return this.#read('current');
  }

  get previous(): string | null {
    return this.#read('previous');
  }

  /** Whether the current version still has to prove itself. */
  get onTrial(): boolean {
    return this.#read('trial') !== null;
  }

  /** The path of a version's bundle. */
  bundle(version: string): string {
    return join(this.#folder, 'versions', version, 'yunxun-edge.mjs');
  }

  /** Puts a bundle on disk without starting it. */
  keep(version: string, text: string): string {
    mkdirSync(join(this.#folder, 'versions', version), { recursive: true, mode: 0o755 });
    writeDurably(this.bundle(version), text, 0o644);
    return this.bundle(version);
  }

  /** The first version of a box: nothing to return to. */
  install(version: string): void {
    this.#write('current', version);
  }

  /** From the next start on this version runs, and has `seconds` from each start to be online. */
  try(version: string, seconds = trialSeconds): void {
    const before = this.current;
    // one that has not proven itself is nothing to return to
    if (before !== null && before !== version && !this.onTrial) this.#write('previous', before);
    removeDurably(join(this.#folder, 'returned'));
    this.#write('trial', String(seconds));
    this.#write('current', version);
  }

  /** The current version has been online: it stays. Versions that nobody returns to are deleted. */
  proven(): void {
    removeDurably(join(this.#folder, 'trial'));
    const kept = new Set([this.current, this.previous]);
    for (const version of readdirSync(join(this.#folder, 'versions'))) {
      if (!kept.has(version)) rmSync(join(this.#folder, 'versions', version), { recursive: true, force: true });
    }
  }

  /** The version that the launcher gave up, told once. */
  takeReturned(): string | null {
    const failed = this.#read('returned');
    if (failed !== null) removeDurably(join(this.#folder, 'returned'));
    return failed;
  }

  #read(name: string): string | null {
    try {
      const line = readFileSync(join(this.#folder, name), 'utf8').split('\n')[0] ?? '';
      return /^[A-Za-z0-9.+-]{1,64}$/.test(line) ? line : null;
    } catch {
      return null;
    }
  }

  #write(name: string, value: string): void {
    writeDurably(join(this.#folder, name), `${value}\n`, 0o644);
  }
}
