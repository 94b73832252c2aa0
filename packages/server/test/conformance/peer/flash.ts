/** What of a device survives a restart: its stored configurations and the one that is active. */
export class DeviceFlash {
  /** By the uuid of the file's name (`params.uuid`). */
  readonly files = new Map<number, Readonly<Record<string, unknown>>>();
  /** File name of the active configuration, 0 when there is none. */
  active = 0;

  /** The file that the client loads: the last by name. Names are padded to ten digits, so that is the highest uuid. */
  newest(): number {
    return Math.max(0, ...this.files.keys());
  }

  store(uuid: number, config: Readonly<Record<string, unknown>>): void {
    this.files.set(uuid, config);
  }

  /** Only the last five are kept, and the active one. */
  prune(): void {
    const old = [...this.files.keys()].toSorted((a, b) => b - a).slice(5);
    for (const uuid of old) if (uuid !== this.active) this.files.delete(uuid);
  }

  /** The uuid inside a file, 0 when it has none. */
  innerUuid(name: number): number {
    return int32(this.files.get(name)?.uuid) ?? 0;
  }
}

/** A number as the client's parser takes it: whole and within 31 bits, else it is not there at all. */
export function int32(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 0x7fffffff ? value : null;
}
