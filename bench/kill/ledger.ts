/** What the server may hold of one thing after everything that was asked of it. */
interface Entry {
  /** Values that would all be right: the last acknowledged one, and those asked for since without an answer. */
  allowed: unknown[];
}

/**
 * Remembers what was asked and what was acknowledged. A write that was cut off may be there or not; an acknowledged
 * one must be.
 */
export class Ledger {
  /** By kind and key, `network <gwid>`. */
  readonly entries = new Map<string, Entry>();
  readonly #acknowledged = new Map<string, number>();
  #unknown = 0;

  /** Acknowledged writes so far. */
  get size(): number {
    return [...this.#acknowledged.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Writes without an answer so far. */
  get unknown(): number {
    return this.#unknown;
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#acknowledged);
  }

  /**
   * Does a write of a value and notes what came of it. `write` gives the key it wrote under, or null when the server
   * said no; it throws when nobody knows. A key that is known beforehand is given, so that a cut write is noted.
   */
  async write(kind: string, value: unknown, write: () => Promise<string | null>, key?: string): Promise<boolean> {
    const known = key === undefined ? undefined : this.entries.get(`${kind} ${key}`);
    known?.allowed.push(value);
    let written: string | null;
    try {
      written = await write();
    } catch {
      this.#unknown += 1;
      return false;
    }
    if (written === null) {
      this.#unknown += 1;
      return false;
    }
    this.entries.set(`${kind} ${written}`, { allowed: [value] });
    this.#acknowledged.set(kind, (this.#acknowledged.get(kind) ?? 0) + 1);
    return true;
  }

  /** Keys and what may be there, of one kind. */
  of(kind: string): Map<string, readonly unknown[]> {
    return new Map(
      [...this.entries].flatMap(([name, { allowed }]) =>
        name.startsWith(`${kind} `) ? [[name.slice(kind.length + 1), [...allowed]] as const] : [],
      ),
    );
  }
}
