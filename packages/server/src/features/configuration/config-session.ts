import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import type { UcentralDocument } from './compile/index.ts';
import { type ConfigState, unmanaged } from './transitions.ts';
import {
  deleteUnsent,
  insertVersions,
  lockStates,
  makeStates,
  type NewVersion,
  readVersions,
  type StoredState,
  supersedeOlder,
  updateVersions,
  type VersionFacts,
  versionName,
  writeStates,
} from './version-store.ts';

type Version = Omit<VersionFacts, 'bytes'>;

/** An unsent version may get another uuid. */
export type VersionChange = Partial<Pick<Version, 'uuid' | 'outcome' | 'rejected' | 'sent_at' | 'job_id'>>;

export interface ConfigSessionDeps {
  keys: AccountKeys;
  clock: Clock;
  bus: Bus;
}

/** Locks configuration states, changes them in memory and writes them in `close`. */
export class ConfigSession {
  readonly #deps: ConfigSessionDeps;
  readonly #tx: Tx;
  readonly #accountId: string;
  readonly #devices: ReadonlyMap<string, ManagedDevice>;
  readonly #before: ReadonlyMap<string, StoredState>;
  readonly #states = new Map<string, ConfigState>();
  readonly #versions: Map<string, Version>;
  readonly #fresh = new Map<string, NewVersion>();
  /** By version: its uuid in the database. */
  readonly #changed = new Map<Version, number>();
  readonly #overtaken: { serial: string; than: number }[] = [];
  readonly #forgotten = new Set<string>();

  constructor(
    deps: ConfigSessionDeps,
    tx: Tx,
    accountId: string,
    found: {
      devices: readonly ManagedDevice[];
      states: ReadonlyMap<string, StoredState>;
      versions: readonly Version[];
    },
  ) {
    this.#deps = deps;
    this.#tx = tx;
    this.#accountId = accountId;
    this.#devices = new Map(found.devices.map((device) => [device.serial, device]));
    this.#before = found.states;
    this.#versions = new Map(found.versions.map((version) => [versionName(version.serial, version.uuid), version]));
  }

  /**
   * Omits devices invisible to the transaction. Read what decides a document afterwards: earlier reads may be stale.
   */
  static async open(
    deps: ConfigSessionDeps,
    tx: Tx,
    accountId: string,
    serials: readonly string[],
  ): Promise<ConfigSession> {
    const now = deps.clock.now();
    const states = await lockStates(tx, accountId, serials);
    let devices = await fleetDevices.managed(tx, accountId, serials, now);
    const without = devices.flatMap(({ serial }) => (states.has(serial) ? [] : [serial]));
    if (without.length > 0) {
      await makeStates(tx, accountId, without, now);
      for (const [serial, state] of await lockStates(tx, accountId, without)) states.set(serial, state);
      devices = await fleetDevices.managed(tx, accountId, serials, now);
    }
    const own = devices.map(({ serial }) => serial);
    return new ConfigSession(deps, tx, accountId, {
      devices,
      states,
      versions: await readVersions(tx, accountId, own),
    });
  }

  get devices(): readonly ManagedDevice[] {
    return [...this.#devices.values()];
  }

  device(serial: string): ManagedDevice | undefined {
    return this.#devices.get(serial);
  }

  changedAt(serial: string): Date | null {
    return this.#before.get(serial)?.changedAt ?? null;
  }

  /** `known` false: no version ever. */
  stateOf(serial: string): { state: ConfigState; known: boolean } {
    const state = this.#states.get(serial) ?? this.#before.get(serial)?.state ?? unmanaged;
    return { state, known: state.last_uuid > unmanaged.last_uuid };
  }

  put(serial: string, state: ConfigState): void {
    this.#states.set(serial, state);
  }

  /** Finds new, wanted, sent or rejected versions only. */
  version(serial: string, uuid: number | null): Version | undefined {
    return uuid === null ? undefined : this.#versions.get(versionName(serial, uuid));
  }

  isFresh(serial: string, uuid: number): boolean {
    return this.#fresh.has(versionName(serial, uuid));
  }

  fresh(serial: string, uuid: number): UcentralDocument | null {
    const text = this.#fresh.get(versionName(serial, uuid))?.text;
    return text === undefined ? null : (JSON.parse(text) as UcentralDocument);
  }

  add(version: NewVersion): void {
    const { text: _text, ...facts } = version;
    const name = versionName(version.serial, version.uuid);
    this.#fresh.set(name, version);
    this.#versions.set(name, { account_id: this.#accountId, ...facts });
  }

  change(serial: string, uuid: number, change: VersionChange): void {
    const name = versionName(serial, uuid);
    const before = this.#versions.get(name);
    if (!before) return;
    const after = { ...before, ...change };
    const newName = versionName(serial, after.uuid);
    this.#versions.delete(name);
    this.#versions.set(newName, after);
    const fresh = this.#fresh.get(name);
    if (fresh) {
      this.#fresh.delete(name);
      this.#fresh.set(newName, { ...fresh, ...change });
      return;
    }
    const known = this.#changed.get(before) ?? uuid;
    this.#changed.delete(before);
    this.#changed.set(after, known);
  }

  /** Supersedes unsent versions below `than`. */
  overtake(serial: string, than: number): void {
    this.#overtaken.push({ serial, than });
  }

  /** Resets a device that never ran a version. */
  forget(serial: string): void {
    this.#forgotten.add(serial);
    this.put(serial, { ...unmanaged, reported_uuid: this.stateOf(serial).state.reported_uuid });
  }

  async close(): Promise<void> {
    const [tx, accountId] = [this.#tx, this.#accountId];
    const now = this.#deps.clock.now();
    const changed = [...this.#states].filter(([serial, state]) => this.#before.get(serial)?.state !== state);
    await deleteUnsent(tx, accountId, [...this.#forgotten]);
    await supersedeOlder(tx, accountId, this.#overtaken);
    await insertVersions(tx, this.#deps.keys, accountId, [...this.#fresh.values()]);
    await updateVersions(tx, accountId, [...this.#changed]);
    await writeStates(tx, accountId, changed, now);
    const shown = changed.filter(([serial, state]) => this.#shows(serial, state));
    const chips = shown.map(([serial, { state, reasons, trial_until: trialUntil }]) => {
      const gone = this.#forgotten.has(serial);
      return { serial, state: gone ? null : state, since: now, reason: reasons[0] ?? null, trialUntil };
    });
    await fleetDevices.showSync(tx, accountId, chips);
    for (const { serial, state } of chips) {
      // `sync` lets subscribers of fleet changes skip it
      const fact = { type: 'device.changed', serial, gwid: this.#devices.get(serial)?.gwid ?? null, sync: state };
      afterCommit(tx, () => this.#deps.bus.publish(`live.${accountId}`, fact));
    }
  }

  #shows(serial: string, state: ConfigState): boolean {
    const before = this.#before.get(serial);
    if (!before?.known || this.#forgotten.has(serial)) return true;
    const was = before.state;
    const same = was.state === state.state && +(was.trial_until ?? 0) === +(state.trial_until ?? 0);
    return !same || (was.reasons[0] ?? null) !== (state.reasons[0] ?? null);
  }
}
