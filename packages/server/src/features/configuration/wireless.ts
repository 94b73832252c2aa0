import type { configuration, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import { record } from '../logs/audit.ts';
import { diff } from './compile/diff.ts';
import { fingerprint, maySend, type Ssid, type WirelessIntent } from './compile/index.ts';
import { noIntent, noOverride } from './compile/intent.ts';
import { effectiveRadios } from './compile/resolve.ts';
import { devicesOfNetwork, type ManagedDevice, networkName } from './device-store.ts';
import { readIntent, readOverrides, type Saved, writeIntent } from './intent-store.ts';
import type { Planner } from './planner.ts';
import type { Rollout } from './rollout.ts';
import { terminalsToDrop } from './terminals.ts';
import { completeIntent } from './validate.ts';
import { readDocument, readState } from './version-store.ts';

type Contract = typeof configuration;
type DevicePreview = DataOf<Contract['wirelessPreview']>['devices'][number];

/** Differences listed per device; more of them nobody reads. */
const changesListed = 100;

export interface WirelessDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  /** A device's latest state report, as it came. */
  latestState(tx: Tx, device: DeviceRef): Promise<{ params: Record<string, unknown> } | null>;
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
    const overrides = await readOverrides(
      tx,
      accountId,
      managed.map(({ serial }) => serial),
    );
    const devices: DevicePreview[] = [];
    for (const device of managed) {
      const compiled = planner.compileWith(device, intent, overrides.get(device.serial));
      devices.push(await previewOf(tx, device, compiled));
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

  async function previewOf(
    tx: Tx,
    device: ManagedDevice,
    compiled: ReturnType<Planner['compileWith']>,
  ): Promise<DevicePreview> {
    const { serial, name, status } = device;
    const base = { serial, name, status, findings: [...compiled.findings] };
    if (!device.capabilities) return { ...base, effect: 'unknown', changes: [], more: 0, terminals: null };
    const { state } = await readState(tx, device);
    const before = state.desired_uuid === null ? null : await readDocument(tx, keys, device, state.desired_uuid);
    const same = state.desired_sha === fingerprint(compiled.document);
    const changes = same ? [] : diff(before, compiled.document);
    const effect = !maySend(compiled) ? 'wrong' : same ? 'unchanged' : 'changed';
    const report = status === 'online' ? await latestState(tx, device) : null;
    const active = state.active_uuid === null ? null : await readDocument(tx, keys, device, state.active_uuid);
    const terminals =
      report && effect === 'changed'
        ? terminalsToDrop(report.params.state, active, compiled.document)
        : report || status !== 'online'
          ? 0
          : null;
    return {
      ...base,
      effect,
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
