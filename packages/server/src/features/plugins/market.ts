import type { plugins as contract, DataOf, InputOf, PluginUnfit } from '@yunxun/contract';
import { defaultSettings, settingsProblems } from '@yunxun/contract/plugin-settings';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure, Invalid, invalid } from '../../platform/failure.ts';
import { fleetDevices, fleetGateways } from '../fleet/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { record } from '../logs/index.ts';
import { type CataloguePlugin, compareVersions, listInstalls, type Release, readCatalogue } from './store.ts';
import { type Install, pluginTables } from './tables.ts';

type AgentHost = Awaited<ReturnType<typeof fleetGateways.agentHosts>>[number];

export const pluginJob = 'plugin';

export interface MarketDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create'>;
}

export function createMarket({ database, clock, jobs }: MarketDeps) {
  async function need(id: string): Promise<CataloguePlugin> {
    const [plugin] = await readCatalogue(database, id);
    if (!plugin) throw new Failure('notFound');
    return plugin;
  }

  async function startJob(
    tx: Tx,
    acting: Acting,
    action: string,
    plugin: CataloguePlugin,
    hosts: readonly AgentHost[],
  ) {
    const { id, name } = plugin.entry;
    const items = hosts.map(({ serial, gwid, name: host }) => ({ serial, gwid, name: host }));
    const jobId = await jobs.create(tx, acting, { type: pluginJob, params: { plugin_id: id }, items });
    await record(tx, acting, {
      action: `plugin.${action}`,
      object: { type: 'plugin', id, name: name.en },
      command: true,
      jobId,
      after: { serials: hosts.map(({ serial }) => serial) },
    });
    return { job_id: jobId };
  }

  async function hostsOf(tx: Tx, accountId: string, serials: readonly string[]): Promise<AgentHost[]> {
    const hosts = await fleetGateways.agentHosts(tx, accountId, serials);
    const other = serials.find((serial) => !hosts.some((host) => host.serial === serial));
    if (other !== undefined) invalid('serials', 'validation.pluginUnfit', { name: other });
    return hosts;
  }

  return {
    async list(
      tx: Tx,
      { accountId }: Acting,
      { keyword = '', fits, installed }: InputOf<typeof contract.list>,
    ): Promise<DataOf<typeof contract.list>> {
      const catalogue = await readCatalogue(database);
      const hosts = await fleetGateways.agentHosts(tx, accountId);
      const installs = await listInstalls(tx, accountId);
      const word = keyword.trim().toLowerCase();
      const rows = catalogue
        .filter(({ entry }) => JSON.stringify([entry.id, entry.name, entry.description]).toLowerCase().includes(word))
        .map((plugin) => cardOf(plugin, hosts, installs))
        .filter((row) => (!fits || row.fits > 0) && (!installed || row.installed > 0));
      return { list: rows, total: rows.length };
    },

    /** @throws Failure notFound */
    async detail(tx: Tx, { accountId }: Acting, id: string): Promise<DataOf<typeof contract.detail>> {
      const plugin = await need(id);
      const { permissions, memory_mb, needs, settings } = plugin.entry;
      const hosts = await fleetGateways.agentHosts(tx, accountId);
      const installs = await listInstalls(tx, accountId, id);
      const byHost = new Map(installs.map((install) => [install.serial, install]));
      return {
        ...cardOf(plugin, hosts, installs),
        permissions,
        memory_mb,
        needs,
        settings,
        versions: plugin.releases.map(({ version, arch, min_agent, size, sha256 }) => ({
          version,
          arch,
          min_agent,
          size,
          sha256,
        })),
        devices: hosts.map((host) => {
          const { serial, name, gwid, network, online } = host;
          const install = byHost.get(serial);
          const unfit = unfitOf(host, plugin);
          return { serial, name, gwid, network, online, unfit, install: install ? shown(install) : null };
        }),
      };
    },

    /** @throws Failure notFound; Invalid */
    async install(tx: Tx, acting: Acting, input: InputOf<typeof contract.install>): Promise<{ job_id: string }> {
      const { accountId: account_id } = acting;
      const plugin = await need(input.id);
      const hosts = await hostsOf(tx, account_id, input.serials);
      refuseWrong(plugin, input.settings);
      const installs = new Map((await listInstalls(tx, account_id, input.id)).map((one) => [one.serial, one]));
      for (const host of hosts) {
        const release = releaseFor(host, plugin);
        if (typeof release === 'string') return invalid('serials', 'validation.pluginUnfit', { name: host.name });
        const usual = defaultSettings(plugin.entry.settings);
        // an update may have new settings and lack old ones
        const kept = Object.entries(installs.get(host.serial)?.settings ?? {}).filter(([name]) => name in usual);
        const values = {
          settings: JSON.stringify(input.settings ?? { ...usual, ...Object.fromEntries(kept) }),
          version: release.version,
          desired: 'present' as const,
          state: 'pending' as const,
          reason: null,
          changed_at: clock.now(),
        };
        await pluginTables(tx)
          .insertInto('plugin_install')
          .values({ account_id, serial: host.serial, plugin_id: input.id, ...values, log: [] })
          .onConflict((conflict) => conflict.columns(['account_id', 'serial', 'plugin_id']).doUpdateSet(values))
          .execute();
      }
      return startJob(tx, acting, 'install', plugin, hosts);
    },

    /** @throws Failure notFound unless each of them has the plugin */
    async remove(
      tx: Tx,
      acting: Acting,
      { id, serials }: InputOf<typeof contract.remove>,
    ): Promise<{ job_id: string }> {
      const plugin = await need(id);
      const { accountId } = acting;
      const asked = await pluginTables(tx)
        .updateTable('plugin_install')
        .set({ desired: 'absent', state: 'pending', reason: null, changed_at: clock.now() })
        .where('account_id', '=', accountId)
        .where('plugin_id', '=', id)
        .where('serial', 'in', [...serials])
        .returning('serial')
        .execute();
      if (asked.length < serials.length) throw new Failure('notFound');
      return startJob(tx, acting, 'remove', plugin, await fleetGateways.agentHosts(tx, accountId, serials));
    },

    async log(tx: Tx, { accountId }: Acting, { id, page = 1, limit = 10 }: InputOf<typeof contract.log>) {
      const own = pluginTables(tx)
        .selectFrom('plugin_event')
        .where('account_id', '=', accountId)
        .where('plugin_id', '=', id);
      const rows = await own
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const { total } = await own
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const names = await fleetDevices.names(tx, accountId, [...new Set(rows.map(({ serial }) => serial))]);
      return {
        list: rows.map(({ id: key, at, serial, version, event, reason }) => ({
          id: key,
          at: at.toISOString(),
          serial,
          name: names.get(serial)?.name ?? serial,
          version,
          event,
          reason,
        })),
        total: Number(total),
      };
    },
  };
}

export type Market = ReturnType<typeof createMarket>;

function cardOf(plugin: CataloguePlugin, hosts: readonly AgentHost[], installs: readonly Install[]) {
  const { entry, publisher, releases } = plugin;
  const version = releases[0]?.version ?? '0.0.0';
  const own = installs.filter(({ plugin_id }) => plugin_id === entry.id);
  return {
    id: entry.id,
    name: entry.name,
    publisher: publisher.name,
    licence: entry.licence,
    version,
    description: entry.description,
    fits: hosts.filter((host) => unfitOf(host, plugin) === null).length,
    installed: own.length,
    outdated: own.filter((one) => compareVersions(one.version, version) < 0).length,
  };
}

function unfitOf(host: AgentHost, plugin: CataloguePlugin): PluginUnfit | null {
  const release = releaseFor(host, plugin);
  return typeof release === 'string' ? release : null;
}

export function releaseFor(
  { agent, arch }: AgentHost,
  { releases }: Pick<CataloguePlugin, 'releases'>,
): Release | PluginUnfit {
  if (agent === null) return 'agent';
  if (arch === null) return 'agent_version';
  const own = releases.filter((release) => release.arch === 'all' || release.arch === arch);
  if (own.length === 0) return 'arch';
  return own.find(({ min_agent }) => compareVersions(agent, min_agent) >= 0) ?? 'agent_version';
}

function refuseWrong({ entry }: CataloguePlugin, settings: Record<string, unknown> | undefined): void {
  const problems = Object.entries(settings ? settingsProblems(entry.settings, settings) : {});
  if (problems.length === 0) return;
  const errors = problems.map(([name, problem]) => {
    const { minimum = 0, maximum = 0 } = entry.settings.properties[name] ?? {};
    return [`settings.${name}`, [{ key: `validation.${problem}`, params: { min: minimum, max: maximum } }]] as const;
  });
  throw new Invalid(Object.fromEntries(errors));
}

function shown({ version, reported_version, desired, state, reason, log, settings, changed_at }: Install) {
  const removing = desired === 'absent';
  return { version, reported_version, removing, state, reason, log, settings, changed_at: changed_at.toISOString() };
}
