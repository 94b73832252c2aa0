import { type ConfigurationDocument, deviceLimits, unconfiguredUuid } from '@yunxun/contract/device';

/** One configuration file of the device. */
export interface StoredConfiguration {
  uuid: number;
  document: ConfigurationDocument;
}

/** What must survive a restart. */
export interface StoreContents {
  active: StoredConfiguration;
  stored: readonly StoredConfiguration[];
  /** Highest uuid ever stored; a lower one is never taken again. */
  highest: number;
}

/**
 * The configurations a device keeps: the active one and the last five received. A rejected one stays the newest file, so
 * the device tries it again at its next start.
 */
export class ConfigurationStore {
  readonly #fallback: ConfigurationDocument;
  readonly #changed: (contents: StoreContents) => void;
  #contents: StoreContents;

  constructor(
    fallback: ConfigurationDocument,
    contents: StoreContents | null,
    changed: (contents: StoreContents) => void = () => {},
  ) {
    this.#fallback = fallback;
    this.#changed = changed;
    this.#contents = contents ?? fresh(fallback);
  }

  get active(): StoredConfiguration {
    return this.#contents.active;
  }

  /** The file a start of the client would load: the newest, rejected or not. */
  get newest(): StoredConfiguration {
    return this.#contents.stored.at(-1) ?? this.#contents.active;
  }

  /** Whether a uuid is above everything this device ever stored. */
  isNewer(uuid: number): boolean {
    return uuid > this.#contents.highest;
  }

  /** Keeps a received document as the newest file. Throws when it cannot be kept; then nothing has changed. */
  store(uuid: number, document: ConfigurationDocument): void {
    const stored = [...this.#contents.stored, { uuid, document }].slice(-deviceLimits.keptConfigurations);
    const contents = { ...this.#contents, stored, highest: Math.max(this.#contents.highest, uuid) };
    this.#changed(contents);
    this.#contents = contents;
  }

  /** The stored document with this uuid now runs. */
  activate(uuid: number): void {
    const active = this.#contents.stored.find((entry) => entry.uuid === uuid);
    if (active !== undefined) this.#set({ ...this.#contents, active });
  }

  /** Back to what the box was delivered with. */
  reset(): void {
    this.#set(fresh(this.#fallback));
  }

  /** What runs, runs, also where that cannot be written down: the box has a record of its own. */
  #set(contents: StoreContents): void {
    this.#contents = contents;
    try {
      this.#changed(contents);
    } catch {
      // the next start finds the state before, and what the box confirmed
    }
  }
}

function fresh(fallback: ConfigurationDocument): StoreContents {
  const active = { uuid: unconfiguredUuid, document: { ...fallback, uuid: unconfiguredUuid } };
  return { active, stored: [], highest: unconfiguredUuid };
}
