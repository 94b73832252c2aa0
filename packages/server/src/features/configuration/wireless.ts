import type { configuration, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import { devicesOfNetwork, type ManagedDevice, networkName } from '../fleet/managed-devices.ts';
import { record } from '../logs/audit.ts';
import { diff } from './compile/diff.ts';
import {
  type Compiled,
  fingerprint,
  maySend,
  type Ssid,
  type UcentralDocument,
  type WirelessIntent,
} from './compile/index.ts';
import { noIntent, noOverride } from './compile/intent.ts';
import { effectiveRadios } from './compile/resolve.ts';
import { readIntent, type Saved, writeIntent } from './intent-store.ts';
import type { Planner } from './planner.ts';
import type { Rollout } from './rollout.ts';
import { terminalsToDrop } from './terminals.ts';
import { completeIntent } from './validate.ts';
import { readDocuments, readStates, versionName } from './version-store.ts';

type Contract = typeof configuration;
type DevicePreview = DataOf<Contract['wirelessPreview']>['devices'][number];

/** What was wanted of a device so far, and what it runs. */
interface History {
  /** Fingerprint of the wanted document. */
  sha: string | null;
  desired: UcentralDocument | null;
  active: UcentralDocument | null;
}

/** Differences listed per device; more of them nobody reads. */
const changesListed = 100;

export interface WirelessDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  /** A device's latest state report, as it came. */
  latestState(tx: Tx, device: DeviceRef): Promise<{ at: Date; params: Record<string, unknown> } | null>;
}

/** Wireless settings of networks. */
export function createWireless({ keys, clock, planner, rollout, latestState }: WirelessDeps) {
  async function get(tx: Tx, accountId: string, gwid: string): Promise<DataOf<Contract['wirelessGet']>> {
    const { version, value, updatedAt, updatedBy } = await readIntent(tx, keys, accountId, gwid);
    return {
      gwid,
      version,
      ssids: value.ssids.map(present),
      radios: [...value.radios],
      country: value.country,
      defaults: effectiveRadios(noIntent, noOverride),
      updated_at: updatedAt?.toISOString() ?? null,
      updated_by: updatedBy,
    };
  }

  /** @throws Failure changedMeanwhile; Invalid */
  async function save(
    tx: Tx,
    acting: Acting,
    input: InputOf<Contract['wirelessSave']>,
  ): Promise<DataOf<Contract['wirelessSave']>> {
    const { accountId } = acting;
    const { gwid } = input;
    const current = await readIntent(tx, keys, accountId, gwid, true);
    const intent = completeIntent(current.value, input);
    const by = acting.actor?.name ?? acting.source;
    const fresh =
      current.version === input.version &&
      (await writeIntent(tx, keys, { accountId, gwid, over: input.version, intent, at: clock.now(), by }));
    if (!fresh)
      throw new Failure('changedMeanwhile', { data: { version: current.version, updated_by: current.updatedBy } });
    const devices = await devicesOfNetwork(tx, accountId, gwid, clock.now());
    const jobId = await rollout.start(tx, acting, devices, { cause: 'wireless_saved', author: by }, intent);
    const name = (await networkName(tx, accountId, gwid)) ?? gwid;
    await record(tx, acting, {
      action: 'network.wireless.save',
      object: { type: 'network', id: gwid, name },
      gwid,
      before: shown(current),
      after: {
        ...shown({ ...current, value: intent }),
        version: input.version + 1,
        keys_changed: keysChanged(current.value, intent),
      },
      jobId,
    });
    return { job_id: jobId, version: input.version + 1 };
  }

  /** What saving would do; writes nothing. @throws Invalid */
  async function preview(
    tx: Tx,
    accountId: string,
    input: InputOf<Contract['wirelessPreview']>,
  ): Promise<DataOf<Contract['wirelessPreview']>> {
    const current = await readIntent(tx, keys, accountId, input.gwid);
    const intent = completeIntent(current.value, input);
    const managed = await devicesOfNetwork(tx, accountId, input.gwid, clock.now());
    const compile = await planner.compiler(tx, accountId, managed);
    const history = await historyOf(tx, accountId, managed);
    const devices: DevicePreview[] = [];
    for (const device of managed) {
      const compiled = compile(device, intent);
      devices.push(await previewOf(tx, device, compiled, history(device.serial)));
    }
    return {
      devices,
      totals: {
        devices: devices.length,
        changed: devices.filter(({ effect }) => effect === 'changed').length,
        wrong: devices.filter(({ effect }) => effect === 'wrong').length,
        offline: devices.filter(({ status }) => status !== 'online').length,
        terminals: devices.reduce((sum, { terminals }) => sum + (terminals ?? 0), 0),
      },
    };
  }

  /** What is wanted of devices and what they run, read at once. */
  async function historyOf(tx: Tx, accountId: string, managed: readonly ManagedDevice[]) {
    const states = await readStates(
      tx,
      accountId,
      managed.map(({ serial }) => serial),
    );
    const versions = [...states].flatMap(([serial, { state }]) =>
      [state.desired_uuid, state.active_uuid].flatMap((uuid) => (uuid === null ? [] : [{ serial, uuid }])),
    );
    const documents = await readDocuments(tx, keys, accountId, versions);
    return (serial: string): History => {
      const state = states.get(serial)?.state;
      const find = (uuid: number | null | undefined) =>
        uuid ? (documents.get(versionName(serial, uuid)) ?? null) : null;
      return {
        sha: state?.desired_sha ?? null,
        desired: find(state?.desired_uuid),
        active: find(state?.active_uuid),
      };
    };
  }

  async function previewOf(
    tx: Tx,
    device: ManagedDevice,
    compiled: Compiled,
    { sha, desired, active }: History,
  ): Promise<DevicePreview> {
    const { serial, name, status } = device;
    const first = active === null;
    const base = { serial, name, status, first, findings: [...compiled.findings] };
    if (!device.capabilities) {
      return { ...base, effect: 'unknown', wired: false, changes: [], more: 0, terminals: null };
    }
    const same = sha === fingerprint(compiled.document);
    const changes = same ? [] : diff(first ? null : desired, compiled.document);
    const effect = !maySend(compiled) ? 'wrong' : same ? 'unchanged' : 'changed';
    let terminals: number | null = 0;
    if (effect === 'changed' && status === 'online') {
      const report = await latestState(tx, device);
      terminals = report && terminalsToDrop(report.params.state, active, compiled.document);
    }
    return {
      ...base,
      effect,
      wired: effect === 'changed' && (device.kind !== 'ap' || device.routes),
      changes: changes.slice(0, changesListed),
      more: Math.max(0, changes.length - changesListed),
      terminals,
    };
  }

  return { get, save, preview };
}

function present({ key, bands, ...ssid }: Ssid): configuration.SsidRow {
  return { ...ssid, bands: [...bands], key_set: key !== null };
}

/** Settings as the operation log keeps them: without keys. */
function shown({ version, value }: Saved<WirelessIntent>): object {
  return { version, country: value.country, ssids: value.ssids.map(present), radios: value.radios };
}

/** Names of the SSIDs whose key is another one now. */
function keysChanged(before: WirelessIntent, after: WirelessIntent): string[] {
  const old = new Map(before.ssids.map(({ id, key }) => [id, key]));
  return after.ssids.filter(({ id, key }) => old.has(id) && old.get(id) !== key).map(({ name }) => name);
}
