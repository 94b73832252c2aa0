import type { Capabilities } from '@yunxun/contract/device';
import { nextConfigurationUuid } from '@yunxun/contract/device';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import { type ManagedDevice, showSync } from '../fleet/managed-devices.ts';
import {
  type Compiled,
  type CompileInput,
  compile,
  type DeviceOverride,
  fingerprint,
  type GatewayIntent,
  maySend,
  noIntent,
  noOverride,
  type Reach,
  type WirelessIntent,
} from './compile/index.ts';
import { readGateways } from './gateway-store.ts';
import { readIntent, readOverrides } from './intent-store.ts';
import { readReaches } from './reach-store.ts';
import { type ConfigState, staged, unstaged, wasReturned, wouldBeRejected } from './transitions.ts';
import { type DeviceKey, findVersion, insertVersion, lockState, supersedeOlder, writeState } from './version-store.ts';

/**
 * What wanting a document came to. `staged`: it is to be brought to the device; `unchanged`: the device runs it;
 * `rejected_before`: it refused exactly this with this firmware; `wrong`: it must not be sent; `unknown`: the device
 * never said what it can do.
 */
export type Staging = 'staged' | 'unchanged' | 'rejected_before' | 'wrong' | 'unknown';

/** Who wants a document, and why: a key of the catalogue under `config.cause.`. */
export interface Wish {
  cause:
    | 'wireless_saved'
    | 'gateway_saved'
    | 'override_saved'
    | 'users_listed'
    | 'retry'
    | 'device_joined'
    | 'device_changed'
    | 'device_reset';
  author: string;
}

/** Causes by which somebody means this very device. */
const askedFor: ReadonlySet<Wish['cause']> = new Set(['gateway_saved', 'override_saved', 'retry']);

export type Planner = ReturnType<typeof createPlanner>;

export interface PlannerDeps {
  keys: AccountKeys;
  clock: Clock;
  bus: Bus;
  /** MACs that no SSID of the account lets in, in order. */
  blockedTerminals(tx: Tx, accountId: string): Promise<readonly string[]>;
}

/** Compiles devices' documents and writes down which are wanted. */
export function createPlanner({ keys, clock, bus, blockedTerminals }: PlannerDeps) {
  /** Keeps a state, and shows it where it shows. */
  async function save(
    tx: Tx,
    key: DeviceKey & { gwid: string | null },
    before: ConfigState | null,
    state: ConfigState,
  ): Promise<void> {
    const now = clock.now();
    await writeState(tx, key, state, now);
    const reason = state.reasons[0] ?? null;
    const { trial_until: trialUntil } = state;
    const same = before && before.state === state.state && +(before.trial_until ?? 0) === +(trialUntil ?? 0);
    if (same && (before.reasons[0] ?? null) === reason) return;
    await showSync(tx, key.accountId, key.serial, { state: state.state, since: now, reason, trialUntil });
    // `sync` tells those who follow what the fleet changes that this is not it
    const fact = { type: 'device.changed', serial: key.serial, gwid: key.gwid, sync: state.state };
    afterCommit(tx, () => bus.publish(`live.${key.accountId}`, fact));
  }

  /**
   * Compiles for several devices, with what is known of each read at once. `meant`: settings of their gateway that are
   * not saved yet.
   */
  async function compiler(
    tx: Tx,
    accountId: string,
    devices: readonly ManagedDevice[],
    meant?: GatewayIntent,
  ): Promise<(device: ManagedDevice, network: WirelessIntent) => Compiled> {
    const serials = devices.map(({ serial }) => serial);
    const overrides = await readOverrides(tx, accountId, serials);
    const reaches = await readReaches(tx, accountId, serials);
    const blocked = await blockedTerminals(tx, accountId);
    const gwids = new Set(devices.flatMap(({ gwid, routes }) => (routes && gwid ? [gwid] : [])));
    const gateways = meant ? null : await readGateways(tx, accountId, [...gwids]);
    return (device, network) => {
      const { serial, gwid } = device;
      const gateway = meant ?? (gwid ? (gateways?.get(gwid) ?? null) : null);
      const own = inputOf(device, network, overrides.get(serial) ?? noOverride, reaches.get(serial) ?? {});
      return compile({ ...own, blocked, gateway });
    };
  }

  return {
    save,

    /** The document that a device should run, by the intent in force. */
    async compileFor(tx: Tx, device: ManagedDevice): Promise<Compiled> {
      const wanted = device.gwid ? (await readIntent(tx, keys, device.accountId, device.gwid)).value : noIntent;
      return (await compiler(tx, device.accountId, [device]))(device, wanted);
    },

    compiler,

    /**
     * Wants a compiled document of a device. Equal documents send nothing; a document that the device has refused is not
     * wanted again until its firmware is another, one that it tried and took back only when somebody asks for it.
     * @returns what came of it, and the fingerprint that a job's item goes by
     */
    async stage(
      tx: Tx,
      device: ManagedDevice,
      compiled: Compiled,
      wish: Wish,
    ): Promise<{ staging: Staging; sha: string }> {
      const sha = fingerprint(compiled.document);
      if (!device.capabilities) return { staging: 'unknown', sha };
      if (!maySend(compiled)) return { staging: 'wrong', sha };
      const key: DeviceKey = { accountId: device.accountId, serial: device.serial };
      const place = { ...key, gwid: device.gwid };
      const { state, known } = await lockState(tx, key);
      const before = known ? state : null;
      if (known && state.desired_sha === sha && state.state !== 'failed' && state.state !== 'drifted') {
        return { staging: state.state === 'in_sync' ? 'unchanged' : 'staged', sha };
      }
      const held = wasReturned(state, sha) && !askedFor.has(wish.cause);
      if (held || wouldBeRejected(state, sha, device.firmware)) {
        const version = await findVersion(tx, key, state.rejected_uuid ?? 0);
        const reasons = version?.rejected ?? [];
        await save(tx, place, before, {
          ...state,
          desired_uuid: state.rejected_uuid,
          desired_sha: sha,
          reasons,
          state: 'failed',
        });
        return { staging: 'rejected_before', sha };
      }
      const runsIt =
        state.active_sha === sha &&
        state.sent_uuid === null &&
        (state.state === 'pending' || state.state === 'in_sync');
      if (runsIt) {
        await supersedeOlder(tx, key, state.last_uuid + 1);
        await save(tx, place, before, unstaged(state));
        return { staging: 'unchanged', sha };
      }
      const now = clock.now();
      const uuid = nextConfigurationUuid(now.getTime() / 1000, state.last_uuid, state.reported_uuid ?? 0);
      if (uuid === null) return { staging: 'wrong', sha };
      await insertVersion(tx, keys, key, { uuid, sha, document: compiled.document, at: now, ...wish });
      await supersedeOlder(tx, key, uuid);
      await save(tx, place, before, staged(state, { uuid, sha }));
      return { staging: 'staged', sha };
    },
  };
}

function inputOf(device: ManagedDevice, network: WirelessIntent, override: DeviceOverride, reach: Reach): CompileInput {
  const { serial, name, kind, routes, capabilities } = device;
  return {
    device: { serial, name, kind, routes, capabilities: capabilities as Capabilities | null, reach },
    network,
    override,
  };
}
