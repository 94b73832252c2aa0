import type { configuration, layers as contract, DataOf, InputOf, templates } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Jobs } from '../../jobs/index.ts';
import { diff } from '../compile/diff.ts';
import type { Rollout } from '../rollout.ts';
import { changedSecrets, presentSsid } from '../ssid-secrets.ts';
import {
  appendAssignmentLog,
  countTemplateUses,
  devicesInAssignmentLog,
  endRolloutSteps,
  lockAssignments,
  readAssignmentLog,
  readOwnAssignments,
  readOwnScopeAssignments,
  readScopeAssignments,
  scopesWithTemplate,
  writeScopeAssignments,
} from './assignment-store.ts';
import { completeLayer, type LayerInput } from './complete.ts';
import { defaultRadios } from './effective.ts';
import { createImpact, type ImpactDeps } from './impact.ts';
import { type LayerContent, noContent } from './merge-layers.ts';
import {
  deleteLayer,
  findLayer,
  knownLayers,
  type LayerFacts,
  type LayerVersion,
  layersOfKind,
  readAssignments,
  readLayers,
  versionKey,
  versionsOfLayer,
  writeLayer,
} from './template-store.ts';

export interface LayersDeps extends ImpactDeps {
  clock: Clock;
  keys: AccountKeys;
  rollout: Rollout;
  jobs: Pick<Jobs, 'cancel'>;
}

export function createLayers(deps: LayersDeps) {
  const { clock, keys, rollout } = deps;

  /** @throws Failure notFound */
  async function need(tx: Tx, accountId: string, id: string, lock = false): Promise<LayerFacts> {
    const layer = await findLayer(tx, accountId, id, lock);
    if (!layer || layer.kind === 'group') throw new Failure('notFound');
    return layer;
  }

  /** @throws Failure notFound */
  async function read(tx: Tx, accountId: string, id: string, version: number): Promise<LayerVersion> {
    const found = await readLayers(tx, keys, accountId, { versions: [{ id, version }] });
    const layer = found.get(versionKey(id, version));
    if (!layer) throw new Failure('notFound');
    return layer;
  }

  /** False: the name is taken. */
  async function write(
    tx: Tx,
    acting: Acting,
    layer: Omit<LayerVersion, 'version'> & { over: number },
  ): Promise<number | null> {
    const others = await layersOfKind(tx, acting.accountId, layer.kind);
    const taken = others.some(({ id, name }) => id !== layer.id && name.toLowerCase() === layer.name.toLowerCase());
    if (taken) return null;
    const by = acting.actor?.name ?? acting.source;
    return writeLayer(tx, keys, { ...layer, accountId: acting.accountId, at: clock.now(), by });
  }

  return {
    need,
    read,
    list: (tx: Tx, accountId: string, kind: contract.TemplateKind) => layersOfKind(tx, accountId, kind),
    versions: versionsOfLayer,
    usesOf: countTemplateUses,
    remove: deleteLayer,
    impactOf: createImpact(deps),
    readScopeAssignments,
    writeScopeAssignments,
    stepsOf: readAssignmentLog,
    appendAssignmentLog,
    endRolloutSteps,
    steppedDevices: devicesInAssignmentLog,
    ownAssignments: readOwnAssignments,
    assignmentsOf: readAssignments,
    ownScopeAssignments: readOwnScopeAssignments,
    lockAssignments,
    placesWith: scopesWithTemplate,
    push: rollout.createAssignmentJob,
    cancel: deps.jobs.cancel,
    known: knownLayers,
    present: presentLayer,
    changedSecrets,
    defaults: defaultRadios,

    async contents(tx: Tx, accountId: string, all: readonly LayerFacts[]): Promise<Map<string, LayerContent>> {
      const versions = all.map(({ id, version }) => ({ id, version }));
      const found = await readLayers(tx, keys, accountId, { versions });
      return new Map([...found.values()].map(({ id, content }) => [id, content]));
    },

    /** Null: the name is taken. @throws Invalid */
    async create(
      tx: Tx,
      acting: Acting,
      { kind, name, ...input }: { kind: contract.TemplateKind; name: string } & LayerInput,
    ): Promise<{ id: string; content: LayerContent } | null> {
      const [id, content] = [newId(clock.now().getTime()), completeLayer(noContent, input, kind)];
      return (await write(tx, acting, { id, kind, name, content, over: 0 })) === null ? null : { id, content };
    },

    /** Copies keys under new ids. Null if the name is taken. */
    async copy(tx: Tx, acting: Acting, from: LayerFacts, name: string): Promise<string | null> {
      const { content } = await read(tx, acting.accountId, from.id, from.version);
      const id = newId(clock.now().getTime());
      const ssids = content.ssids.map((ssid) => ({ ...ssid, id: newId() }));
      const copied = { id, kind: from.kind, name, content: { ...content, ssids }, over: 0 };
      return (await write(tx, acting, copied)) === null ? null : id;
    },

    /** @returns content before and after; null if the name is taken @throws Invalid */
    async update(
      tx: Tx,
      acting: Acting,
      layer: LayerFacts,
      { name, ...input }: { name: string } & LayerInput,
    ): Promise<{ version: number; before: LayerContent; after: LayerContent } | null> {
      const { content: before } = await read(tx, acting.accountId, layer.id, layer.version);
      const after = completeLayer(before, input, layer.kind);
      const { id, kind, version: over } = layer;
      const version = await write(tx, acting, { id, kind, name, content: after, over });
      return version === null ? null : { version, before, after };
    },

    async diff(
      tx: Tx,
      accountId: string,
      { id, from, to }: InputOf<(typeof templates)['templateDiff']>,
    ): Promise<configuration.Change[]> {
      const [before, after] = [await read(tx, accountId, id, from), await read(tx, accountId, id, to)];
      return diff(comparable(before.content), comparable(after.content));
    },
  };
}

export type Layers = ReturnType<typeof createLayers>;

function comparable({ country, ssids, radios, general, locks }: LayerContent): unknown {
  const set = (value: object) => Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
  return {
    ...set({ country }),
    ssids: ssids.map(({ id: _id, ...ssid }) => set(ssid)),
    radios: radios.map(set),
    general: set(general),
    locks: Object.fromEntries(locks.map((path) => [path, true])),
  };
}

export function presentLayer(
  content: LayerContent,
): Pick<DataOf<(typeof templates)['templateDetail']>, 'country' | 'ssids' | 'radios' | 'general' | 'locks'> {
  const { country, ssids, radios, general, locks } = content;
  return {
    country,
    ssids: ssids.map(presentSsid),
    radios: [...radios],
    general,
    locks: [...locks],
  };
}
