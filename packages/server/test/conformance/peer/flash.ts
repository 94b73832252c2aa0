export class DeviceFlash {
  readonly files = new Map<number, Readonly<Record<string, unknown>>>();
  /** File name of the active configuration, or 0. */
  active = 0;

  /** Names are zero-padded to ten digits, so the last name has the highest uuid. */
  newest(): number {
    return Math.max(0, ...this.files.keys());
  }

  store(uuid: number, config: Readonly<Record<string, unknown>>): void {
    this.files.set(uuid, config);
  }

  /** Keeps the last five and the active one. */
  prune(): void {
    const old = [...this.files.keys()].toSorted((a, b) => b - a).slice(5);
    for (const uuid of old) if (uuid !== this.active) this.files.delete(uuid);
  }

  innerUuid(name: number): number {
    return int32(this.files.get(name)?.uuid) ?? 0;
  }
}

/** Returns null for numbers that the client's parser ignores: not integers of 31 bits. */
export function int32(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 0x7fffffff ? value : null;
}
