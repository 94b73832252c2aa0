import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { LineReader } from '../measure/tools.ts';

/** Bytes at which the file is emptied after reading; the writer must append. */
const longest = 1 << 20;
/** Bytes per read: a flood of queries must block nothing else. */
const max = 4 << 20;

export class Tail {
  #at = 0;
  readonly #lines: LineReader;

  constructor(
    readonly path: string,
    line: (line: string) => void,
  ) {
    this.#lines = new LineReader(line, 1024);
  }

  read(): void {
    const file = open(this.path);
    if (file === null) return;
    try {
      const { size } = fstatSync(file);
      if (size < this.#at) {
        this.#at = 0;
        this.#lines.reset();
      }
      if (size - this.#at > max) {
        this.#at = size - max;
        this.#lines.reset();
      }
      const part = Buffer.alloc(size - this.#at);
      const got = readSync(file, part, 0, part.length, this.#at);
      this.#at += got;
      this.#lines.push(part.subarray(0, got).toString('latin1'));
      // lines written in between are lost
      if (this.#at >= longest) this.#empty(file);
    } finally {
      closeSync(file);
    }
  }

  #empty(file: number): void {
    try {
      ftruncateSync(file, 0);
    } catch {
      return;
    }
    this.#at = 0;
    this.#lines.reset();
  }
}

function open(path: string): number | null {
  for (const how of ['r+', 'r'])
    try {
      return openSync(path, how);
    } catch {
      // retry read-only
    }
  return null;
}
