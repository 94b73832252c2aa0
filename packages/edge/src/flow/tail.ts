import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { LineReader } from '../measure/tools.ts';

/** A file that grew beyond this is emptied once it is read; its writer appends. */
const longest = 1 << 20;
/** More than this is not read at one time: a flood of queries must not hold up the rest. */
const most = 4 << 20;

/** Reads what is appended to a file (the resolver's log), and keeps it short. */
export class Tail {
  #at = 0;
  readonly #lines: LineReader;

  constructor(
    readonly path: string,
    line: (line: string) => void,
  ) {
    this.#lines = new LineReader(line, 1024);
  }

  /** Reads on. A file that is not there has nothing to say. */
  read(): void {
    const file = open(this.path);
    if (file === null) return;
    try {
      const { size } = fstatSync(file);
      // another one took its place
      if (size < this.#at) {
        this.#at = 0;
        this.#lines.reset();
      }
      if (size - this.#at > most) {
        this.#at = size - most;
        this.#lines.reset();
      }
      const part = Buffer.alloc(size - this.#at);
      const got = readSync(file, part, 0, part.length, this.#at);
      this.#at += got;
      this.#lines.push(part.subarray(0, got).toString('latin1'));
      // what came meanwhile goes along: of a flood, a line more or less is worth nothing, and the file must end somewhere
      if (this.#at >= longest) this.#empty(file);
    } finally {
      closeSync(file);
    }
  }

  #empty(file: number): void {
    try {
      ftruncateSync(file, 0);
    } catch {
      // it is somebody else's: it stays as long as it is
      return;
    }
    this.#at = 0;
    this.#lines.reset();
  }
}

/** Opens a file to read it and, where that is allowed, to empty it; null where it cannot be opened. */
function open(path: string): number | null {
  for (const how of ['r+', 'r'])
    try {
      return openSync(path, how);
    } catch {
      // then with less
    }
  return null;
}
