import { type ConfigurationDocument, deviceLimits, unconfiguredUuid } from '@yunxun/contract/device';

export interface StoredConfiguration {
  uuid: number;
  document: ConfigurationDocument;
}

export interface StoreContents {
  active: StoredConfiguration;
  stored: readonly StoredConfiguration[];
  highest: number;
}

/** The last five configurations. A rejected one stays the newest file, so the next start tries it again. */
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

  get newest(): StoredConfiguration {
    return this.#contents.stored.at(-1) ?? this.#contents.active;
  }

  isNewer(uuid: number): boolean {
    return uuid > this.#contents.highest;
  }

  /**
   * Stores the newest file.
   * @throws if unwritten; then nothing changed
   */
  store(uuid: number, document: ConfigurationDocument): void {
    const stored = [...this.#contents.stored, { uuid, document }].slice(-deviceLimits.keptConfigurations);
    const contents = { ...this.#contents, stored, highest: Math.max(this.#contents.highest, uuid) };
    this.#changed(contents);
    this.#contents = contents;
  }

  activate(uuid: number): void {
    const active = this.#contents.stored.find((entry) => entry.uuid === uuid);
    if (active !== undefined) this.#set({ ...this.#contents, active });
  }

  rewrite(change: (document: ConfigurationDocument) => ConfigurationDocument): void {
    const rewritten = ({ uuid, document }: StoredConfiguration) => ({ uuid, document: change(document) });
    const { active, stored, highest } = this.#contents;
    this.#set({ active: rewritten(active), stored: stored.map(rewritten), highest });
  }

  reset(): void {
    this.#set(fresh(this.#fallback));
  }

  /** Ignores failed writes: the host records the active plan itself. */
  #set(contents: StoreContents): void {
    this.#contents = contents;
    try {
      this.#changed(contents);
    } catch {
      // the next start loads the previous contents
    }
  }
}

function fresh(fallback: ConfigurationDocument): StoreContents {
  const active = { uuid: unconfiguredUuid, document: { ...fallback, uuid: unconfiguredUuid } };
  return { active, stored: [], highest: unconfiguredUuid };
}
