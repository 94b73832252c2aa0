import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { type ManagedDevice, managedDevices, showSync } from '../fleet/managed-devices.ts';
import type { UcentralDocument } from './compile/index.ts';
import { type ConfigState, unmanaged } from './transitions.ts';
import {
  deleteUnsent,
  insertVersions,
  lockStates,
  makeStates,
  type NewVersion,
  readVersions,
  type Standing,
  supersedeOlder,
  updateVersions,
  type VersionFacts,
  versionName,
  writeStates,
} from './version-store.ts';

/** What is known of a version here. */
type Version = Omit<VersionFacts, 'bytes'>;

/** What may change of a version. A version that never left may still get another number. */
export type VersionChange = Partial<Pick<Version, 'uuid' | 'outcome' | 'rejected' | 'sent_at' | 'job_id'>>;

export interface DeskDeps {
  keys: AccountKeys;
  clock: Clock;
  bus: Bus;
}

/**
 * Devices of an account whose configuration is changed in one transaction: read and locked together, changed in memory,
 * and written together by `close`. Nobody else changes them until the transaction ends.
 */
export class Desk {
  readonly #deps: DeskDeps;
  readonly #tx: Tx;
  readonly #accountId: string;
  readonly #devices: ReadonlyMap<string, ManagedDevice>;
  readonly #before: ReadonlyMap<string, Standing>;
  readonly #states = new Map<string, ConfigState>();
  readonly #versions: Map<string, Version>;
  readonly #fresh = new Map<string, NewVersion>();
  /** Versions that are changed, with the number that they have in the database. */
  readonly #changed = new Map<Version, number>();
  readonly #overtaken: { serial: string; than: number }[] = [];
  readonly #forgotten = new Set<string>();

  /** Of what was read and locked in the transaction. */
  constructor(
    deps: DeskDeps,
    tx: Tx,
    accountId: string,
    found: { devices: readonly ManagedDevice[]; states: ReadonlyMap<string, Standing>; versions: readonly Version[] },
  ) {
    this.#deps = deps;
    this.#tx = tx;
    this.#accountId = accountId;
    this.#devices = new Map(found.devices.map((device) => [device.serial, device]));
    this.#before = found.states;
    this.#versions = new Map(found.versions.map((version) => [versionName(version.serial, version.uuid), version]));
  }

  /**
   * Devices that the transaction does not see are missing from it. What decides what they should run is read after this:
   * what was read before may be what another has changed meanwhile, and would be put in the place of the newer.
   */
  static async open(deps: DeskDeps, tx: Tx, accountId: string, serials: readonly string[]): Promise<Desk> {
    const now = deps.clock.now();
    const states = await lockStates(tx, accountId, serials);
    let devices = await managedDevices(tx, accountId, serials, now);
    const without = devices.flatMap(({ serial }) => (states.has(serial) ? [] : [serial]));
    if (without.length > 0) {
      await makeStates(tx, accountId, without, now);
      for (const [serial, state] of await lockStates(tx, accountId, without)) states.set(serial, state);
      devices = await managedDevices(tx, accountId, serials, now);
    }
    const own = devices.map(({ serial }) => serial);
    return new Desk(deps, tx, accountId, { devices, states, versions: await readVersions(tx, accountId, own) });
  }

  get devices(): readonly ManagedDevice[] {
    return [...this.#devices.values()];
  }

  /** Undefined when there is no such device. */
  device(serial: string): ManagedDevice | undefined {
    return this.#devices.get(serial);
  }

  /** Where a device stands now; `known` is false when nothing was ever wanted of it. */
  standing(serial: string): { state: ConfigState; known: boolean } {
    const state = this.#states.get(serial) ?? this.#before.get(serial)?.state ?? unmanaged;
    return { state, known: state.last_uuid > unmanaged.last_uuid };
  }

  put(serial: string, state: ConfigState): void {
    this.#states.set(serial, state);
  }

  /** A version that the device is to run, was sent, or refused, or that is new. */
  version(serial: string, uuid: number | null): Version | undefined {
    return uuid === null ? undefined : this.#versions.get(versionName(serial, uuid));
  }

  /** Whether a version is new. */
  isFresh(serial: string, uuid: number): boolean {
    return this.#fresh.has(versionName(serial, uuid));
  }

  /** The document of a version that is new, as it will be read: equal documents are equal bytes. */
  fresh(serial: string, uuid: number): UcentralDocument | null {
    const text = this.#fresh.get(versionName(serial, uuid))?.text;
    return text === undefined ? null : (JSON.parse(text) as UcentralDocument);
  }

  /** Keeps a document. */
  add(version: NewVersion): void {
    const { text: _text, ...facts } = version;
    const name = versionName(version.serial, version.uuid);
    this.#fresh.set(name, version);
    this.#versions.set(name, { account_id: this.#accountId, ...facts });
  }

  /** Changes what is known of a version that `version` gives; any other stays as it is. */
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

  /** Versions of a device that never left have been overtaken by a newer one. */
  overtake(serial: string, than: number): void {
    this.#overtaken.push({ serial, than });
  }

  /** Nothing was ever wanted of a device: what was, has never left. */
  forget(serial: string): void {
    this.#forgotten.add(serial);
    this.put(serial, { ...unmanaged, reported_uuid: this.standing(serial).state.reported_uuid });
  }

  /** Writes what has changed; tells those who follow it once the transaction is committed. */
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
    await showSync(tx, accountId, chips);
    for (const { serial, state } of chips) {
      // `sync` tells those who follow what the fleet changes that this is not it
      const fact = { type: 'device.changed', serial, gwid: this.#devices.get(serial)?.gwid ?? null, sync: state };
      afterCommit(tx, () => this.#deps.bus.publish(`live.${accountId}`, fact));
    }
  }

  /** Whether lists show that it has changed. */
  #shows(serial: string, state: ConfigState): boolean {
    const before = this.#before.get(serial);
    if (!before?.known || this.#forgotten.has(serial)) return true;
    const was = before.state;
    const same = was.state === state.state && +(was.trial_until ?? 0) === +(state.trial_until ?? 0);
    return !same || (was.reasons[0] ?? null) !== (state.reasons[0] ?? null);
  }
}
