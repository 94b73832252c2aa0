import type { configuration } from '@yunxun/contract';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { ManagedDevice } from '../../fleet/managed-devices.ts';
import { diff } from '../compile/diff.ts';
import { fingerprint, maySend, type UcentralDocument } from '../compile/index.ts';
import type { Meant, Planner } from '../planner.ts';
import { terminalsToDrop } from '../terminals.ts';
import { readDocuments, readStates, versionName } from '../version-store.ts';

/** Devices looked at together: nobody else is answered while they are compiled and compared. */
const atOnce = 50;

/** An SSID that a document sends out. */
export interface SentSsid {
  name: string;
  /** What protects it, as the firmware spells it. */
  security: string;
}

/** What a template would make of one device. */
export interface Impact {
  device: ManagedDevice;
  effect: 'changed' | 'unchanged' | 'wrong' | 'unknown';
  /** It runs no configuration of this console. */
  first: boolean;
  changes: configuration.Change[];
  findings: readonly configuration.Finding[];
  /** Terminals that would drop, by the last report; null when there is none. */
  terminals: number | null;
  /** Of these, those that do not come back by themselves. */
  lost: number;
  ssids: { before: readonly SentSsid[]; after: readonly SentSsid[] };
  /** Whether a radio gets another channel or width. */
  channels: boolean;
}

export interface ImpactDeps {
  keys: AccountKeys;
  planner: Planner;
  latestStates(tx: Tx, accountId: string, serials: readonly string[]): Promise<Map<string, LatestState>>;
}

/** A device's latest state report, as it came. */
export interface LatestState {
  at: Date;
  params: Record<string, unknown>;
}

/** A template that devices would get, or that would be taken off them. */
export type ImpactMeant = Pick<Meant, 'templates' | 'without'>;

/** What other templates would change on each of some devices; writes nothing. */
export function createImpact({ keys, planner, latestStates }: ImpactDeps) {
  return async function impactOf(
    tx: Tx,
    accountId: string,
    devices: readonly ManagedDevice[],
    meant: ImpactMeant,
  ): Promise<Impact[]> {
    const impacts: Impact[] = [];
    for (let from = 0; from < devices.length; from += atOnce) {
      impacts.push(...(await some(tx, accountId, devices.slice(from, from + atOnce), meant)));
    }
    return impacts;
  };

  async function some(
    tx: Tx,
    accountId: string,
    devices: readonly ManagedDevice[],
    meant: ImpactMeant,
  ): Promise<Impact[]> {
    const serials = devices.map(({ serial }) => serial);
    const compile = await planner.compiler(tx, accountId, devices, meant);
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
        ...{ device, effect, first, active, after },
        changes: effect === 'changed' ? diff(base, after) : [],
        findings: known ? compiled.findings : [],
        ...{ terminals: 0, lost: 0 },
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
      if (!report) return { ...impact, terminals: null };
      const { drop, lost } = terminalsToDrop(report.params.state, active, after);
      return { ...impact, terminals: drop, lost };
    });
  }
}

/** The SSIDs that a document sends out, each name once, in their order. */
function ssidsOf(document: UcentralDocument | null): SentSsid[] {
  const all = (document?.interfaces ?? []).flatMap(({ ssids }) => ssids ?? []);
  const named = new Map(all.map(({ name, encryption }) => [name, { name, security: encryption.proto }]));
  return [...named.values()];
}

/** Channels and widths of the radios, to be compared. */
function airOf(document: UcentralDocument | null): string {
  return JSON.stringify((document?.radios ?? []).map((radio) => [radio.band, radio.channel, radio['channel-width']]));
}
