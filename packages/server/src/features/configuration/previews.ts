import type { configuration, DataOf } from '@yunxun/contract';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import type { ManagedDevice } from '../fleet/index.ts';
import { type ClientDrops, clientDrops, sumDrops } from './client-drops.ts';
import { diff } from './compile/diff.ts';
import { awaitsReport, type Compiled, fingerprint, maySend, type UcentralDocument } from './compile/index.ts';
import { awaitingReport } from './first-contact/unsettled.ts';
import { readDocuments, readStates, versionName } from './version-store.ts';

type Answer = DataOf<(typeof configuration)['wirelessPreview']>;
type DevicePreview = Answer['devices'][number];

interface History {
  sha: string | null;
  desired: UcentralDocument | null;
  active: UcentralDocument | null;
}

const changesListed = 100;

const sshClosed = { severity: 'adjusted', code: 'ssh_closed', field: 'services', params: {} } as const;

/** Assumes SSH in an unknown configuration: the factory's has it. */
function closesSsh(active: UcentralDocument | null, next: UcentralDocument): boolean {
  return (active === null || opensSsh(active)) && !opensSsh(next);
}

function opensSsh({ interfaces }: UcentralDocument): boolean {
  return (interfaces ?? []).some(({ services }) => services?.includes('ssh'));
}

export interface PreviewDeps {
  keys: AccountKeys;
  latestState(tx: Tx, device: DeviceRef): Promise<{ at: Date; params: Record<string, unknown> } | null>;
}

export type Previews = ReturnType<typeof createPreviews>;

export function createPreviews({ keys, latestState }: PreviewDeps) {
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
    unreported: ReadonlySet<string>,
  ): Promise<{ preview: DevicePreview; drops: ClientDrops['causes'] }> {
    const { serial, name, status } = device;
    const first = active === null;
    const awaited = unreported.has(serial) || awaitsReport(compiled);
    const closing = device.kind === 'ap' && closesSsh(active, compiled.document) ? [sshClosed] : [];
    const base = { serial, name, status, first, findings: [...compiled.findings, ...closing] };
    if (!device.capabilities || awaited || !device.confirmed) {
      const waits = awaited ? ('waiting' as const) : ('unknown' as const);
      const effect = device.confirmed ? waits : ('unconfirmed' as const);
      return { preview: { ...base, effect, wired: false, changes: [], more: 0, terminals: null }, drops: [] };
    }
    const same = sha === fingerprint(compiled.document);
    const changes = same ? [] : diff(first ? null : desired, compiled.document);
    const effect = !maySend(compiled) ? 'wrong' : same ? 'unchanged' : 'changed';
    let terminals: number | null = 0;
    let drops: ClientDrops['causes'] = [];
    if (effect === 'changed' && status === 'online') {
      const report = await latestState(tx, device);
      const found = clientDrops(report?.params.state, active, compiled.document);
      terminals = report && found.drop;
      if (device.kind === 'ap') drops = found.causes;
    }
    const preview: DevicePreview = {
      ...base,
      effect,
      wired: effect === 'changed' && (device.kind !== 'ap' || device.routes),
      changes: changes.slice(0, changesListed),
      more: Math.max(0, changes.length - changesListed),
      terminals,
    };
    return { preview, drops };
  }

  return async function previews(
    tx: Tx,
    accountId: string,
    managed: readonly ManagedDevice[],
    compile: (device: ManagedDevice) => Compiled,
  ): Promise<Answer> {
    const history = await historyOf(tx, accountId, managed);
    const awaited = await awaitingReport(tx, accountId, managed);
    const found: Awaited<ReturnType<typeof previewOf>>[] = [];
    for (const device of managed) {
      const { serial } = device;
      found.push(await previewOf(tx, device, compile(device), history(serial), awaited));
    }
    const devices = found.map(({ preview }) => preview);
    return {
      devices,
      totals: {
        devices: devices.length,
        changed: devices.filter(({ effect }) => effect === 'changed').length,
        wrong: devices.filter(({ effect }) => effect === 'wrong').length,
        offline: devices.filter(({ status }) => status !== 'online').length,
        terminals: devices.reduce((sum, { terminals }) => sum + (terminals ?? 0), 0),
      },
      drops: sumDrops(found.map(({ drops }) => drops)),
    };
  };
}
