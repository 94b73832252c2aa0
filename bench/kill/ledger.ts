interface Entry {
  /** The last acknowledged one, and later unanswered ones. */
  allowed: unknown[];
}

export class Ledger {
  readonly entries = new Map<string, Entry>();
  readonly #acknowledged = new Map<string, number>();
  #unknown = 0;

  get size(): number {
    return [...this.#acknowledged.values()].reduce((sum, count) => sum + count, 0);
  }

  get unknown(): number {
    return this.#unknown;
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#acknowledged);
  }

  /**
   * Records the outcome. `write` returns the key, null if refused, and throws if unknown. Pass a known `key`, to record
   * an interrupted write.
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

  of(kind: string): Map<string, readonly unknown[]> {
    return new Map(
      [...this.entries].flatMap(([name, { allowed }]) =>
        name.startsWith(`${kind} `) ? [[name.slice(kind.length + 1), [...allowed]] as const] : [],
      ),
    );
  }
}
