import type { configuration, DataOf } from '@yunxun/contract';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import type { ManagedDevice } from '../fleet/managed-devices.ts';
import { diff } from './compile/diff.ts';
import { type Compiled, fingerprint, maySend, type UcentralDocument } from './compile/index.ts';
import { terminalsToDrop } from './terminals.ts';
import { readDocuments, readStates, versionName } from './version-store.ts';

type Answer = DataOf<(typeof configuration)['wirelessPreview']>;
type DevicePreview = Answer['devices'][number];

/** What was wanted of a device so far, and what it runs. */
interface History {
  /** Fingerprint of the wanted document. */
  sha: string | null;
  desired: UcentralDocument | null;
  active: UcentralDocument | null;
}

/** Differences listed per device; more of them nobody reads. */
const changesListed = 100;

export interface PreviewDeps {
  keys: AccountKeys;
  /** A device's latest state report, as it came. */
  latestState(tx: Tx, device: DeviceRef): Promise<{ at: Date; params: Record<string, unknown> } | null>;
}

export type Previews = ReturnType<typeof createPreviews>;

/** What bringing compiled documents to devices would change on them; writes nothing. */
export function createPreviews({ keys, latestState }: PreviewDeps) {
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
      terminals = report && terminalsToDrop(report.params.state, active, compiled.document).drop;
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

  return async function previews(
    tx: Tx,
    accountId: string,
    managed: readonly ManagedDevice[],
    compile: (device: ManagedDevice) => Compiled,
  ): Promise<Answer> {
    const history = await historyOf(tx, accountId, managed);
    const devices: DevicePreview[] = [];
    for (const device of managed) devices.push(await previewOf(tx, device, compile(device), history(device.serial)));
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
  };
}
