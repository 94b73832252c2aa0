import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeDurably, writeDurably } from '../apply/durable.ts';

export const versionForm = /^\d{1,5}\.\d{1,5}\.\d{1,5}(?:[-+][A-Za-z0-9.]{1,32})?$/;

/** Compares numbers; then a version without suffix is newest, then suffixes decide. */
export function isNewer(version: string, than: string): boolean {
  const [[one, suffix], [other, otherSuffix]] = [parts(version), parts(than)];
  for (let place = 0; place < 3; place += 1) {
    if (one[place] !== other[place]) return one[place]! > other[place]!;
  }
  if (suffix === '' || otherSuffix === '') return suffix === '' && otherSuffix !== '';
  return suffix > otherSuffix;
}

function parts(version: string): [numbers: number[], suffix: string] {
  const [, numbers = '', suffix = ''] = /^([\d.]+)(.*)$/.exec(version) ?? [];
  return [numbers.split('.').map(Number), suffix];
}

/** Seconds to be online. */
export const trialSeconds = 300;

/** Versions on disk, as for the launcher. Each change is one rename: a power cut leaves a startable version. */
export class Versions {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get current(): string | null {
    return this.#read('current');
  }

  get previous(): string | null {
    return this.#read('previous');
  }

  get onTrial(): boolean {
    return this.#read('trial') !== null;
  }

  bundle(version: string): string {
    return join(this.#folder, 'versions', version, 'yunxun-edge.mjs');
  }

  keep(version: string, text: string, statement?: string): string {
    mkdirSync(join(this.#folder, 'versions', version), { recursive: true, mode: 0o755 });
    if (statement !== undefined) writeDurably(`${this.bundle(version)}.sig`, statement, 0o644);
    writeDurably(this.bundle(version), text, 0o644);
    return this.bundle(version);
  }

  install(version: string): void {
    this.#write('current', version);
  }

  /** Selects a version; each start has `seconds` to be online. */
  try(version: string, seconds = trialSeconds): void {
    const before = this.current;
    // an unproven version is no rollback target
    if (before !== null && before !== version && !this.onTrial) this.#write('previous', before);
    removeDurably(join(this.#folder, 'returned'));
    this.#write('trial', String(seconds));
    this.#write('current', version);
  }

  /** Ends the trial after the first session; deletes versions that are no rollback target. */
  proven(): void {
    removeDurably(join(this.#folder, 'trial'));
    const kept = new Set([this.current, this.previous]);
    for (const version of readdirSync(join(this.#folder, 'versions'))) {
      if (!kept.has(version)) rmSync(join(this.#folder, 'versions', version), { recursive: true, force: true });
    }
  }

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
