import type { configuration } from '@yunxun/contract';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { ManagedDevice } from '../../fleet/index.ts';
import { type ClientDrops, clientDrops } from '../client-drops.ts';
import { diff } from '../compile/diff.ts';
import { fingerprint, maySend, type UcentralDocument } from '../compile/index.ts';
import type { Planner, UnsavedSettings } from '../planner.ts';
import { readDocuments, readStates, versionName } from '../version-store.ts';

/** Compiling blocks the event loop. */
const atOnce = 50;

export interface SentSsid {
  name: string;
  security: string;
}

export interface Impact {
  device: ManagedDevice;
  effect: 'changed' | 'unchanged' | 'wrong' | 'unknown';
  /** Not managed before. */
  first: boolean;
  changes: configuration.Change[];
  findings: readonly configuration.Finding[];
  /** Null without a report. */
  terminals: number | null;
  lost: number;
  drops: ClientDrops['causes'];
  ssids: { before: readonly SentSsid[]; after: readonly SentSsid[] };
  channels: boolean;
}

export interface ImpactDeps {
  keys: AccountKeys;
  planner: Planner;
  latestStates(tx: Tx, accountId: string, serials: readonly string[]): Promise<Map<string, LatestState>>;
}

export interface LatestState {
  at: Date;
  params: Record<string, unknown>;
}

export type ImpactInput = Pick<UnsavedSettings, 'templates' | 'without'>;

export function createImpact({ keys, planner, latestStates }: ImpactDeps) {
  return async function impactOf(
    tx: Tx,
    accountId: string,
    devices: readonly ManagedDevice[],
    unsaved: ImpactInput,
  ): Promise<Impact[]> {
    const impacts: Impact[] = [];
    for (let from = 0; from < devices.length; from += atOnce) {
      impacts.push(...(await some(tx, accountId, devices.slice(from, from + atOnce), unsaved)));
    }
    return impacts;
  };

  async function some(
    tx: Tx,
    accountId: string,
    devices: readonly ManagedDevice[],
    unsaved: ImpactInput,
  ): Promise<Impact[]> {
    const serials = devices.map(({ serial }) => serial);
    const compile = await planner.compiler(tx, accountId, devices, unsaved);
    const states = await readStates(tx, accountId, serials);
    const versions = [...states].flatMap(([serial, { state }]) =>
      [state.desired_uuid, state.active_uuid].flatMap((uuid) => (uuid === null ? [] : [{ serial, uuid }])),
    );
    const documents = await readDocuments(tx, keys, accountId, versions);
    const find = (serial: string, uuid: number | null | undefined): UcentralDocument | null =>
      uuid ? (documents.get(versionName(serial, uuid)) ?? null) : null;
    const judged = devices.map((device): Impact & { active: UcentralDocument | null; after: UcentralDocument } => {
      const state = states.get(device.serial)?.state;
      const active = find(device.serial, state?.active_uuid);
      const desired = find(device.serial, state?.desired_uuid);
      const compiled = compile(device);
      const after = compiled.document;
      const same = state?.desired_sha === fingerprint(after);
      const known = device.capabilities !== null;
      const effect = !known ? 'unknown' : !maySend(compiled) ? 'wrong' : same ? 'unchanged' : 'changed';
      const first = active === null;
      const base = first ? null : (desired ?? active);
      return {
        device,
        effect,
        first,
        active,
        after,
        changes: effect === 'changed' ? diff(base, after) : [],
        findings: known ? compiled.findings : [],
        terminals: 0,
        lost: 0,
        drops: [],
        ssids: { before: ssidsOf(base), after: known ? ssidsOf(after) : ssidsOf(base) },
        channels: effect === 'changed' && airOf(base) !== airOf(after),
      };
    });
    const isAsked = ({ effect, device }: Impact) => effect === 'changed' && device.status === 'online';
    const reports = await latestStates(
      tx,
      accountId,
      judged.filter(isAsked).map(({ device }) => device.serial),
    );
    return judged.map(({ active, after, ...impact }) => {
      if (!isAsked(impact)) return impact;
      const report = reports.get(impact.device.serial);
      const { drop, lost, causes } = clientDrops(report?.params.state, active, after);
      return { ...impact, terminals: report ? drop : null, lost, drops: impact.device.kind === 'ap' ? causes : [] };
    });
  }
}

function ssidsOf(document: UcentralDocument | null): SentSsid[] {
  const all = (document?.interfaces ?? []).flatMap(({ ssids }) => ssids ?? []);
  const named = new Map(all.map(({ name, encryption }) => [name, { name, security: encryption.proto }]));
  return [...named.values()];
}

function airOf(document: UcentralDocument | null): string {
  return JSON.stringify((document?.radios ?? []).map((radio) => [radio.band, radio.channel, radio['channel-width']]));
}
