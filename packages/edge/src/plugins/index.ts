import type { LookupFunction } from 'node:net';
import {
  asNumber,
  asText,
  asTexts,
  type EdgePluginState,
  type EdgeToolResult,
  isRecord,
  type PluginPermission,
  type PluginReason,
  type PluginSettings,
  pluginForms,
  pluginLimits,
  pluginPermissions,
} from '@yunxun/contract/device';
import { openPluginPackage, PackageRefused } from '@yunxun/contract/plugin-package';
import { type Clock, wait } from '../clock.ts';
import type { ActionResult } from '../system.ts';
import { type InstalledPlugin, PluginFolder } from './plugin-folder.ts';
import { PluginProcess } from './plugin-process.ts';
import { confine, type Host, lookAtHost } from './sandbox.ts';

export interface PluginsOptions {
  folder: string;
  clock: Clock;
  download(url: string, options: { max: number; signal: AbortSignal; lookup?: LookupFunction }): Promise<Buffer>;
  /** Origins that packages may come from. */
  origins: readonly string[];
  log(line: string): void;
  host?: Host;
  arch?: string;
}

/** Milliseconds. */
const times = { downloadMs: 60_000, provenMs: 6000, lookMs: 100 };

class Refused extends Error {
  constructor(readonly reason: PluginReason) {
    super(reason);
  }
}

/** Runs one command at a time. */
export function createPlugins(options: PluginsOptions) {
  const { clock, log, host = lookAtHost(), arch = process.arch } = options;
  const folder = new PluginFolder(options.folder);
  const processes = new Map<string, PluginProcess>();
  /** Of plugins without a process. */
  const failures = new Map<string, PluginReason>();
  let turn: Promise<unknown> = Promise.resolve();

  function run(plugin: InstalledPlugin): void {
    const { id, version, main, settings } = plugin;
    if (version === null) return;
    const permissions = plugin.permissions.filter((name): name is PluginPermission =>
      (pluginPermissions as readonly string[]).includes(name),
    );
    const memoryMb = plugin.memory_mb;
    const code = folder.code(plugin);
    const data = folder.data(id);
    const launch = confine({ code, data, main, permissions, memoryMb }, host);
    if (launch === null) {
      failures.set(id, 'sandbox');
      return;
    }
    failures.delete(id);
    const process = new PluginProcess({
      clock,
      launch,
      folder: code,
      data,
      settings,
      memoryMb,
      log: (line) => log(`${id}: ${line}`),
    });
    processes.set(id, process);
  }

  async function halt(id: string): Promise<void> {
    await processes.get(id)?.stop();
    processes.delete(id);
    failures.delete(id);
  }

  async function install(params: Readonly<Record<string, unknown>>): Promise<void> {
    const asked = readInstall(params, options.origins);
    if (asked === null) throw new Refused('request');
    if (asked.arch !== 'all' && asked.arch !== arch) throw new Refused('arch');
    if (confine({ ...blank, memoryMb: asked.memory_mb }, host) === null) throw new Refused('sandbox');
    const before = folder.list().find(({ id }) => id === asked.id);
    const signal = AbortSignal.timeout(times.downloadMs);
    const bytes = await options.download(asked.url, { max: pluginLimits.package, signal }).catch((error: Error) => {
      log(`${asked.id}: ${error.message}`);
      throw new Refused('download');
    });
    const { id, version, permissions, memory_mb, settings } = asked;
    const opened = openPluginPackage(bytes, asked, asked);
    const after: InstalledPlugin = {
      id,
      version,
      installing: null,
      main: opened.manifest.main,
      permissions,
      memory_mb,
      settings,
    };
    try {
      folder.write({ ...(before ?? { ...after, version: null }), installing: version });
      if (before?.version === version) await halt(id);
      folder.unpack(asked, opened, host.root ? 65_534 : null);
      folder.write(after);
    } catch (error) {
      log(`${id}: ${error instanceof Error ? error.message : String(error)}`);
      if (before === undefined) folder.remove(id);
      throw new Refused('disk');
    }
    await halt(id);
    folder.tidy(after);
    run(after);
    await settled(id);
  }

  async function change(params: Readonly<Record<string, unknown>>): Promise<void> {
    const known = folder.list().find(({ id }) => id === params.id);
    if (!known || known.version === null) throw new Refused('missing');
    const settings = readSettings(params.settings);
    if (settings === null) throw new Refused('request');
    const after = { ...known, settings };
    folder.write(after);
    await halt(known.id);
    run(after);
    await settled(known.id);
  }

  async function remove(params: Readonly<Record<string, unknown>>): Promise<void> {
    const id = asText(params.id, 48);
    if (id === null || !pluginForms.id.test(id)) throw new Refused('request');
    await halt(id);
    if (folder.list().some((one) => one.id === id)) folder.remove(id);
  }

  /** Waits until the process runs or has ended. */
  async function settled(id: string): Promise<void> {
    const process = processes.get(id);
    for (let ms = 0; process?.state === 'starting' && ms < times.provenMs; ms += times.lookMs)
      await wait(clock, times.lookMs);
  }

  function states(): EdgePluginState[] {
    return folder.list().map(({ id, version }) => {
      const process = processes.get(id);
      const reason = failures.get(id) ?? process?.reason ?? null;
      return { id, version, state: process?.state ?? 'failed', reason, log: process?.log ?? [] };
    });
  }

  async function obey(params: Readonly<Record<string, unknown>>): Promise<void> {
    if (params.op === 'install') return install(params);
    if (params.op === 'settings') return change(params);
    if (params.op === 'remove') return remove(params);
    throw new Refused('request');
  }

  return {
    states,
    /** Never throws: a refusal is the text, a `PluginReason`. */
    command(params: Readonly<Record<string, unknown>>): Promise<ActionResult & { tool?: EdgeToolResult }> {
      const work = turn.then(async () => {
        try {
          await obey(params);
          return { error: 0, text: 'Success', tool: { plugins: states() } };
        } catch (error) {
          if (error instanceof Refused || error instanceof PackageRefused) return { error: 1, text: error.reason };
          log(error instanceof Error ? error.message : String(error));
          return { error: 1, text: 'disk' };
        }
      });
      turn = work;
      return work;
    },
    start(): void {
      for (const plugin of folder.list()) {
        run(plugin);
        if (plugin.version === null) failures.set(plugin.id, 'interrupted');
        if (plugin.installing === null) continue;
        log(`${plugin.id}: installing ${plugin.installing} was interrupted`);
        folder.tidy(plugin);
      }
    },
    async stop(): Promise<void> {
      await Promise.all([...processes.values()].map((process) => process.stop()));
      processes.clear();
    },
    async clear(): Promise<void> {
      for (const { id } of folder.list()) await remove({ id });
    },
  };
}

export type Plugins = ReturnType<typeof createPlugins>;

const blank = { code: '/', data: '/', main: '', permissions: [] };

function readInstall(params: Readonly<Record<string, unknown>>, origins: readonly string[]) {
  const text = (name: string, max: number) => asText(params[name], max);
  const [id, version, sha256] = [text('id', 48), text('version', 20), text('sha256', 64)];
  const [arch, url, signature, key] = [text('arch', 16), text('url', 2048), text('signature', 200), text('key', 400)];
  const [size, memory] = [asNumber(params.size), asNumber(params.memory_mb)];
  const settings = readSettings(params.settings);
  if (id === null || version === null || sha256 === null || arch === null || url === null) return null;
  if (signature === null || key === null || size === null || memory === null || settings === null) return null;
  if (!pluginForms.id.test(id) || !pluginForms.version.test(version) || !pluginForms.sha256.test(sha256)) return null;
  if (!URL.canParse(url) || !origins.includes(new URL(url).origin)) return null;
  const memory_mb = Math.min(Math.max(Math.round(memory), 16), pluginLimits.memoryMb);
  const permissions = asTexts(params.permissions);
  return { id, version, sha256, arch, url, signature, key, size, memory_mb, permissions, settings };
}

function readSettings(value: unknown): PluginSettings | null {
  if (!isRecord(value) || JSON.stringify(value).length > 8192) return null;
  return Object.values(value).every((one) => ['string', 'number', 'boolean'].includes(typeof one))
    ? (value as PluginSettings)
    : null;
}
