import { groupSettings as contract, type DataOf, type groupSettings, type InputOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { deviceGroups, fleetDevices } from '../../fleet/index.ts';
import { record } from '../../logs/index.ts';
import type { ChangeRegistry } from '../changes.ts';
import { enqueueLateEnrolmentReconcile } from '../late-enrolment.ts';
import type { Planner } from '../planner.ts';
import type { Previews } from '../previews.ts';
import type { Rollout } from '../rollout.ts';
import { changedSecrets } from '../ssid-secrets.ts';
import { completeLayer } from './complete.ts';
import { defaultRadios } from './effective.ts';
import { type LayerContent, noContent } from './merge-layers.ts';
import { presentLayer } from './service.ts';
import { findLayer, readLayers, versionKey, writeLayer } from './template-store.ts';

type Contract = typeof groupSettings;

export interface GroupSettingsDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  previews: Previews;
  changes: Pick<ChangeRegistry, 'before'>;
}

export function createGroupSettings({ keys, clock, planner, rollout, previews, changes }: GroupSettingsDeps) {
  async function contentOf(tx: Tx, accountId: string, id: string): Promise<LayerContent> {
    return (await readLayers(tx, keys, accountId, { versions: [], groups: [id] })).get(id)?.content ?? noContent;
  }

  async function devicesOf(tx: Tx, accountId: string, id: string) {
    const serials = await deviceGroups.devices(tx, accountId, [id]);
    return (await fleetDevices.managed(tx, accountId, serials, clock.now())).toSorted((a, b) =>
      a.serial < b.serial ? -1 : 1,
    );
  }

  /** @throws Failure notUndoable unless the version is kept */
  async function pastContent(tx: Tx, accountId: string, id: string, version: number): Promise<LayerContent> {
    if (version === 0) return noContent;
    const found = await readLayers(tx, keys, accountId, { versions: [{ id, version }] });
    const past = found.get(versionKey(id, version));
    if (past?.kind !== 'group') throw new Failure('notUndoable');
    return past.content;
  }

  async function previewOf(tx: Tx, accountId: string, id: string, group: LayerContent) {
    const devices = await devicesOf(tx, accountId, id);
    const compile = await planner.compiler(tx, accountId, devices, { group });
    return previews(tx, accountId, devices, (device) => compile(device));
  }

  /** @throws Failure changedMeanwhile */
  async function put(
    tx: Tx,
    acting: Acting,
    { group_id: id, version: over }: { group_id: string; version: number },
    wanted: (before: LayerContent) => LayerContent | Promise<LayerContent>,
  ): Promise<DataOf<Contract['groupSettingsSave']>> {
    requireWholeAccount(acting, 'config.write');
    const { accountId } = acting;
    const layer = await findLayer(tx, accountId, id, true);
    if ((layer?.version ?? 0) !== over)
      throw new Failure('changedMeanwhile', {
        data: { version: layer?.version ?? 0, updated_by: layer?.updatedBy ?? null },
      });
    const before = await contentOf(tx, accountId, id);
    const content = await wanted(before);
    const devices = await devicesOf(tx, accountId, id);
    const gwids = [...new Set(devices.flatMap(({ gwid }) => gwid ?? []))];
    await changes.before(tx, acting, { gwids, cause: 'group_saved' });
    const author = acting.actor?.name ?? acting.source;
    const saved = { accountId, id, kind: 'group', name: '', content, over, at: clock.now(), by: author } as const;
    const version = await writeLayer(tx, keys, saved);
    const jobId = await rollout.later(tx, acting, devices, { cause: 'group_saved', author });
    await enqueueLateEnrolmentReconcile(tx, { accountId, place: { groupId: id }, jobId });
    await record(tx, acting, {
      action: 'group.settings.save',
      object: { type: 'group', id, name: (await deviceGroups.names(tx, accountId, [id])).get(id) ?? id },
      before: { version: over, ...presentLayer(before) },
      after: { version, ...presentLayer(content), keys_changed: changedSecrets(before.ssids, content.ssids) },
      inverse: { path: contract.groupSettingsRevert.path, input: { group_id: id, version, to: over } },
      ...(jobId && { jobId }),
    });
    return { job_id: jobId, version };
  }

  return {
    async get(tx: Tx, acting: Acting, id: string): Promise<DataOf<Contract['groupSettingsGet']>> {
      requireWholeAccount(acting, 'config.read');
      const layer = await findLayer(tx, acting.accountId, id);
      return {
        group_id: id,
        version: layer?.version ?? 0,
        ...presentLayer(await contentOf(tx, acting.accountId, id)),
        defaults: defaultRadios(),
        updated_at: layer?.updatedAt.toISOString() ?? null,
        updated_by: layer?.updatedBy ?? null,
      };
    },

    /** @throws Invalid */
    async preview(tx: Tx, acting: Acting, { group_id: id, ...input }: InputOf<Contract['groupSettingsPreview']>) {
      requireWholeAccount(acting, 'config.write');
      const group = completeLayer(await contentOf(tx, acting.accountId, id), input, 'group');
      return previewOf(tx, acting.accountId, id, group);
    },

    /** @throws Failure changedMeanwhile; Invalid */
    save: (tx: Tx, acting: Acting, { group_id, version, ...input }: InputOf<Contract['groupSettingsSave']>) =>
      put(tx, acting, { group_id, version }, (before) => completeLayer(before, input, 'group')),

    /** Restores keys too. @throws Failure changedMeanwhile, notUndoable */
    revert: (tx: Tx, acting: Acting, { to, ...input }: InputOf<Contract['groupSettingsRevert']>) =>
      put(tx, acting, input, () => pastContent(tx, acting.accountId, input.group_id, to)),

    /** @throws Failure notUndoable */
    async revertPreview(tx: Tx, acting: Acting, { group_id: id, to }: InputOf<Contract['groupSettingsRevertPreview']>) {
      requireWholeAccount(acting, 'config.write');
      return previewOf(tx, acting.accountId, id, await pastContent(tx, acting.accountId, id, to));
    },
  };
}
