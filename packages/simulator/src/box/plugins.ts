import {
  asNumber,
  asText,
  type EdgePluginState,
  type EdgeToolResult,
  isRecord,
  type PluginReason,
  pluginForms,
} from '@yunxun/contract/device';
import { openPluginPackage, PackageRefused } from '@yunxun/contract/plugin-package';
import type { ActionResult } from '@yunxun/edge';

type Params = Readonly<Record<string, unknown>>;

/** Installs plugins as the agent does, verifies their packages, and runs none of them. */
export class SimulatedPlugins {
  #installed: readonly EdgePluginState[] = [];
  changed: (installed: readonly EdgePluginState[]) => void = () => {};

  restore(installed: readonly EdgePluginState[]): void {
    this.#installed = installed;
  }

  states(): readonly EdgePluginState[] {
    return this.#installed;
  }

  async command(params: Params): Promise<ActionResult & { tool?: EdgeToolResult }> {
    const refused = await this.#obey(params);
    if (refused !== null) return { error: 1, text: refused };
    this.changed(this.#installed);
    return { error: 0, text: 'Success', tool: { plugins: [...this.#installed] } };
  }

  async #obey(params: Params): Promise<PluginReason | null> {
    const id = asText(params.id, 48) ?? '';
    if (!pluginForms.id.test(id)) return 'request';
    if (params.op === 'install') return this.#install(id, params);
    const known = this.#installed.find((one) => one.id === id);
    if (params.op === 'remove') this.#installed = this.#installed.filter((one) => one !== known);
    else if (params.op !== 'settings') return 'request';
    else if (!known) return 'missing';
    else this.#put({ ...known, log: [...known.log, 'restarted with new settings'].slice(-10) });
    return null;
  }

  async #install(id: string, params: Params): Promise<PluginReason | null> {
    const [version, arch, sha256] = [asText(params.version, 20), asText(params.arch, 8), asText(params.sha256, 64)];
    const [url, signature, key] = [asText(params.url, 2048), asText(params.signature, 128), asText(params.key, 128)];
    const size = asNumber(params.size);
    if (version === null || arch === null || sha256 === null || url === null || size === null) return 'request';
    if (signature === null || key === null) return 'request';
    const response = await fetch(url).catch(() => null);
    if (!response?.ok) return 'download';
    try {
      const bytes = Buffer.from(await response.arrayBuffer());
      openPluginPackage(bytes, { id, version, arch, size, sha256 }, { signature, key });
    } catch (error) {
      if (error instanceof PackageRefused) return error.reason;
      throw error;
    }
    const { address, port } = isRecord(params.settings) ? params.settings : {};
    const log = [`${id} ${version}: listening on ${String(address ?? '127.0.0.1')}:${String(port ?? 9100)}`];
    this.#put({ id, version, state: 'running', reason: null, log });
    return null;
  }

  #put(plugin: EdgePluginState): void {
    this.#installed = [...this.#installed.filter(({ id }) => id !== plugin.id), plugin];
  }
}
