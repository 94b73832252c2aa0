import type { layers as contract, DataOf, InputOf, templatePush, templates } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { countByWave } from '../../platform/rollout-waves.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { knownChanges } from './change-store.ts';
import { type ChangeDeps, createChanges } from './changes.ts';
import { planDevices } from './plan.ts';
import { summed } from './preview.ts';
import { templateSearch } from './search.ts';
import { kindsWithModels, resolveTargets, type Targets } from './targets.ts';
import { findAssignments } from './unassign-template.ts';

type Contract = typeof templates;
type Push = typeof templatePush;
type Row = DataOf<Contract['templateList']>['list'][number];
type Layer = Awaited<ReturnType<Configuration['layers']['need']>> & { kind: contract.TemplateKind };

/** Maximum per device. */
const changesListed = 200;

export type Templates = ReturnType<typeof createTemplateService>;

export function createTemplateService(deps: ChangeDeps) {
  const { clock, configuration } = deps;
  const { layers } = configuration;

  async function need(tx: Tx, acting: Acting, id: string, write = false): Promise<Layer> {
    requireWholeAccount(acting, write ? 'config.write' : 'config.read');
    return (await layers.need(tx, acting.accountId, id, write)) as Layer;
  }

  async function takenOff(tx: Tx, accountId: string, { id, kind }: Layer, named: Targets) {
    const { targets, scopeAssignments } = await findAssignments(
      tx,
      layers,
      { accountId, id, kind },
      named,
      clock.now(),
    );
    const places = new Set(scopeAssignments.map(({ scope, ref }) => `${scope} ${ref}`));
    return { devices: targets.map(({ device }) => device), without: { layerId: id, places } };
  }

  const about = ({ id, name }: { id: string; name: string }) => ({ object: { type: 'template' as const, id, name } });
  const taken = () => new Failure('nameExists', { params: { kind: 'template' } });

  async function list(
    tx: Tx,
    acting: Acting,
    input: InputOf<Contract['templateList']>,
  ): Promise<{ list: Row[]; total: number }> {
    requireWholeAccount(acting, 'config.read');
    const { accountId } = acting;
    const keyword = input.keyword?.toLowerCase() ?? '';
    const all = (await layers.list(tx, accountId, input.kind)).filter(({ name }) =>
      name.toLowerCase().includes(keyword),
    );
    const contents = await layers.contents(tx, accountId, all);
    const useOf = await layers.usesOf(
      tx,
      accountId,
      all.map(({ id }) => id),
    );
    const rows = all.map((layer): Row => {
      const { id, name, version } = layer;
      const use = useOf(id);
      const reported = contents.get(id);
      return {
        id,
        kind: input.kind,
        name,
        version,
        ssids: (reported?.ssids ?? []).map(({ name: ssid, security, vlan }) => ({ name: ssid, security, vlan })),
        country: reported?.country ?? null,
        devices: use.devices,
        newest: use.versions.get(version) ?? 0,
        in_sync: use.inSync,
        networks: use.networks,
        groups: use.groups,
        updated_at: layer.updatedAt.toISOString(),
        updated_by: layer.updatedBy,
      };
    });
    const sort = input.sort ?? 'updated_at';
    const descending = (input.order ?? (input.sort ? 'asc' : 'desc')) === 'desc';
    const sorted = rows.toSorted((a, b) => (a[sort] < b[sort] ? -1 : a[sort] > b[sort] ? 1 : 0));
    const limit = input.limit ?? 10;
    const from = ((input.page ?? 1) - 1) * limit;
    return { list: (descending ? sorted.toReversed() : sorted).slice(from, from + limit), total: rows.length };
  }

  return {
    list,
    defaults: layers.defaults,
    changes: createChanges(deps),
    objects: { template: layers.known, change: knownChanges },
    search: templateSearch(configuration),

    async detail(tx: Tx, acting: Acting, { id, version }: InputOf<Contract['templateDetail']>) {
      const layer = await need(tx, acting, id);
      const shown = await layers.read(tx, acting.accountId, id, version ?? layer.version);
      return {
        id,
        kind: layer.kind,
        name: layer.name,
        version: layer.version,
        shown: shown.version,
        ...layers.present(shown.content),
        defaults: layers.defaults(),
        updated_at: layer.updatedAt.toISOString(),
        updated_by: layer.updatedBy,
      };
    },

    /** @throws Failure nameExists; Invalid */
    async create(tx: Tx, acting: Acting, input: InputOf<Contract['templateCreate']>) {
      requireWholeAccount(acting, 'config.write');
      const made = await layers.create(tx, acting, input);
      if (!made) throw taken();
      const { id, content } = made;
      await record(tx, acting, {
        action: 'template.create',
        ...about({ id, name: input.name }),
        after: { kind: input.kind, ...layers.present(content) },
        inverse: { path: '/api/v3/wireless_template/delete', input: { id } },
      });
      return { id, version: 1 };
    },

    /** @throws Failure changedMeanwhile, nameExists; Invalid */
    async update(tx: Tx, acting: Acting, { id, version: over, ...input }: InputOf<Contract['templateUpdate']>) {
      const layer = await need(tx, acting, id, true);
      if (layer.version !== over)
        throw new Failure('changedMeanwhile', { data: { version: layer.version, updated_by: layer.updatedBy } });
      const saved = await layers.update(tx, acting, layer, input);
      if (!saved) throw taken();
      const { version, before, after } = saved;
      await record(tx, acting, {
        action: 'template.update',
        ...about({ id, name: input.name }),
        before: { version: over, name: layer.name, ...layers.present(before) },
        after: {
          version,
          name: input.name,
          ...layers.present(after),
          keys_changed: layers.changedSecrets(before.ssids, after.ssids),
        },
      });
      return { version };
    },

    /** @throws Failure nameExists */
    async copy(tx: Tx, acting: Acting, { id, name }: InputOf<Contract['templateCopy']>) {
      const layer = await need(tx, acting, id, true);
      const copied = await layers.copy(tx, acting, layer, name);
      if (copied === null) throw taken();
      await record(tx, acting, {
        action: 'template.copy',
        ...about({ id: copied, name }),
        after: { from: layer.name, version: layer.version },
        inverse: { path: '/api/v3/wireless_template/delete', input: { id: copied } },
      });
      return { id: copied };
    },

    /** @throws Failure inUse with its assignments */
    async remove(tx: Tx, acting: Acting, id: string) {
      const layer = await need(tx, acting, id, true);
      const { devices, networks, groups } = (await layers.usesOf(tx, acting.accountId, [id]))(id);
      const having = { devices, networks, groups };
      if (devices + networks + groups > 0)
        throw new Failure('inUse', { data: having, params: { kind: 'template', ...having } });
      const { content } = await layers.read(tx, acting.accountId, id, layer.version);
      await layers.remove(tx, acting.accountId, id);
      await record(tx, acting, {
        action: 'template.delete',
        ...about(layer),
        before: { kind: layer.kind, version: layer.version, ...layers.present(content) },
      });
      return {};
    },

    async versions(tx: Tx, acting: Acting, id: string): Promise<DataOf<Contract['templateVersions']>> {
      await need(tx, acting, id);
      const { versions: used } = (await layers.usesOf(tx, acting.accountId, [id]))(id);
      const rows = await layers.versions(tx, acting.accountId, id);
      const list = rows.map(({ version, created_at, created_by }) => ({
        version,
        created_at: created_at.toISOString(),
        created_by,
        devices: used.get(version) ?? 0,
      }));
      return { list, total: list.length };
    },

    async diff(tx: Tx, acting: Acting, input: InputOf<Contract['templateDiff']>) {
      await need(tx, acting, input.id);
      return { changes: await layers.diff(tx, acting.accountId, input) };
    },

    async models(tx: Tx, acting: Acting, { kind = 'wireless' }: InputOf<Push['templateModels']>) {
      requireWholeAccount(acting, 'config.read');
      return { list: await fleetDevices.modelsInUse(tx, acting.accountId, kindsWithModels(kind)) };
    },

    async preview(tx: Tx, acting: Acting, { id, version, ...targets }: InputOf<Push['templatePreview']>) {
      const layer = await need(tx, acting, id);
      const { accountId } = acting;
      if (version === null) {
        const { devices, without } = await takenOff(tx, accountId, layer, targets);
        return summed(layer.version, await layers.impactOf(tx, accountId, devices, { without }));
      }
      const content = await layers.read(tx, accountId, id, version ?? layer.version);
      const all = await resolveTargets(tx, { accountId, kind: layer.kind }, targets, clock.now());
      const devices = all.map(({ device }) => device);
      return summed(
        content.version,
        await layers.impactOf(tx, accountId, devices, { templates: { [layer.kind]: content } }),
      );
    },

    async previewWaves(
      tx: Tx,
      acting: Acting,
      { id, version, plan, ...targets }: InputOf<Push['templatePreviewWaves']>,
    ): Promise<DataOf<Push['templatePreviewWaves']>> {
      const layer = await need(tx, acting, id);
      const { accountId } = acting;
      const key = { accountId, id, kind: layer.kind };
      const all =
        version === null
          ? (await findAssignments(tx, layers, key, targets, clock.now())).targets
          : await resolveTargets(tx, key, targets, clock.now());
      return { waves: countByWave(planDevices(all, plan)) };
    },

    async previewDevice(
      tx: Tx,
      acting: Acting,
      { id, version, serial, ...targets }: InputOf<Push['templatePreviewDevice']>,
    ) {
      const layer = await need(tx, acting, id);
      const { accountId } = acting;
      const unsaved =
        version === null
          ? { without: (await takenOff(tx, accountId, layer, targets)).without }
          : { templates: { [layer.kind]: await layers.read(tx, accountId, id, version ?? layer.version) } };
      const device = await fleetDevices.find(tx, accountId, serial, clock.now());
      if (!device) throw new Failure('notFound');
      const [impact] = await layers.impactOf(tx, accountId, [device], unsaved);
      const { changes, findings } = impact!;
      const more = Math.max(0, changes.length - changesListed);
      return { changes: changes.slice(0, changesListed), more, findings: [...findings] };
    },
  };
}
