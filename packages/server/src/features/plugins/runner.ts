import {
  asList,
  asRecord,
  asText,
  asTexts,
  type EdgePluginParams,
  type EdgePluginState,
  edgePluginStates,
  edgeToolMethod,
  type PluginReason,
  pluginReasons,
  replyText,
} from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/database/index.ts';
import {
  type CommandResult,
  type DeviceCommands,
  DeviceError,
  DeviceOffline,
  DeviceTimeout,
} from '../../uplink/index.ts';
import { fleetDevices, fleetGateways } from '../fleet/index.ts';
import type { Jobs, Outcome } from '../jobs/index.ts';
import { pluginJob } from './market.ts';
import { deleteInstall, findInstall, type InstallKey, noteEvent, readCatalogue, setInstall } from './store.ts';
import type { Install } from './tables.ts';

export interface RunnerDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'register'>;
  devices: Pick<DeviceCommands, 'call'>;
  publicUrl: string;
}

/** Milliseconds: a package is fetched meanwhile. */
const commandMs = 120_000;
const waits = (reason: string): Outcome => ({ status: 'waiting_offline', reason });

/** Brings gateways to their rows' state; the row decides, not the job. */
export function registerPluginJob({ database, clock, jobs, devices, publicUrl }: RunnerDeps): void {
  jobs.register(
    pluginJob,
    async (item, job): Promise<Outcome> => {
      const { plugin_id } = asRecord<{ plugin_id: string }>(job.params);
      const key = { account_id: item.account_id, serial: item.serial ?? '', plugin_id: asText(plugin_id, 48) ?? '' };
      const due = await prepare(key);
      if (due === null) return { status: 'skipped', reason: 'job.plugin_gone' };
      if (due === 'offline' || due === 'unconfirmed') return waits(`job.${due}`);
      try {
        const ref = { accountId: key.account_id, serial: key.serial };
        const result = await devices.call(ref, edgeToolMethod, due.params, { timeoutMs: commandMs });
        return await settle(key, due.install, result);
      } catch (error) {
        if (error instanceof DeviceOffline) return waits('job.offline');
        if (error instanceof DeviceTimeout) return { status: 'failed', reason: 'job.silent' };
        if (error instanceof DeviceError) return { status: 'failed', reason: error.message || 'job.refused' };
        throw error;
      }
    },
    { onlineItems: fleetDevices.onlineItems(database) },
  );

  async function prepare(
    key: InstallKey,
  ): Promise<{ install: Install; params: EdgePluginParams } | 'offline' | 'unconfirmed' | null> {
    const [plugin] = await readCatalogue(database, key.plugin_id);
    return database.withSystem(async (tx) => {
      const install = await findInstall(tx, key);
      const [host] = await fleetGateways.agentHosts(tx, key.account_id, [key.serial]);
      if (!install || !host) return null;
      if (!host.online) return 'offline';
      // settings may hold passwords
      if (!host.confirmed) return 'unconfirmed';
      const { plugin_id: id, settings, version } = install;
      if (install.desired === 'absent') return { install, params: { tool: 'plugin', op: 'remove', id } };
      const release = plugin?.releases.find((one) => one.version === version && ['all', host.arch].includes(one.arch));
      if (!plugin || !release) return null;
      if (install.reported_version === version)
        return { install, params: { tool: 'plugin', op: 'settings', id, settings } };
      const { token } = newToken();
      await setInstall(tx, key, { token: tokenHash(token) });
      const { arch, size, sha256, signature } = release;
      const { permissions, memory_mb } = plugin.entry;
      const url = `${publicUrl}/plugins/${key.account_id}/${key.serial}/${id}/${version}/${arch}/${token}`;
      return {
        install,
        params: {
          tool: 'plugin',
          op: 'install',
          id,
          version,
          arch,
          size,
          sha256,
          signature,
          url,
          permissions,
          memory_mb,
          key: plugin.publisher.key,
          settings,
        },
      };
    });
  }

  function settle(key: InstallKey, before: Install, result: CommandResult): Promise<Outcome> {
    return database.withSystem(async (tx): Promise<Outcome> => {
      const at = clock.now();
      const status = asRecord<{ error: number; tool: unknown }>(result.status);
      const states = readStates(asRecord<{ plugins: unknown }>(status.tool).plugins) ?? [];
      const reported = states.find(({ id }) => id === key.plugin_id);
      const { version } = before;
      if (Number(status.error) !== 0) {
        const text = replyText(result);
        const reason = pluginReasons.find((one) => one === text) ?? null;
        // the next command installs it anew
        const gone = reason === 'missing' ? { reported_version: null } : {};
        await setInstall(tx, key, { token: null, state: 'failed', reason, changed_at: at, ...gone });
        await noteEvent(tx, key, { at, version, event: 'failed', reason });
        return { status: 'failed', reason: reason ? `job.plugin_${reason}` : text || 'job.refused' };
      }
      if (before.desired === 'absent' && !reported) {
        await deleteInstall(tx, key);
        await noteEvent(tx, key, { at, version, event: 'removed', reason: null });
        return { status: 'succeeded' };
      }
      const { state = 'failed', reason = 'missing', log = [], version: reported_version = null } = reported ?? {};
      await setInstall(tx, key, { token: null, reported_version, state, reason, log: [...log], changed_at: at });
      await noteEvent(tx, key, { at, version, event: state, reason });
      return state === 'failed' ? { status: 'failed', reason: `job.plugin_${reason}` } : { status: 'succeeded' };
    });
  }
}

/** Reads what a device reports, which may have any shape; null: nothing about plugins. */
export function readStates(value: unknown): EdgePluginState[] | null {
  if (!Array.isArray(value)) return null;
  return asList(value).flatMap((one) => {
    const read = asRecord<EdgePluginState>(one);
    const id = asText(read.id, 48);
    const state = edgePluginStates.find((known) => known === read.state);
    if (id === null || state === undefined) return [];
    const reason: PluginReason | null = pluginReasons.find((known) => known === read.reason) ?? null;
    const log = asTexts(read.log)
      .slice(0, 10)
      .map((line) => line.replaceAll('\0', '').slice(0, 200));
    return [{ id, version: asText(read.version, 20), state, reason, log }];
  });
}
