import {
  asRecord,
  asText,
  isRecord,
  pluginArches,
  pluginForms,
  pluginLimits,
  pluginPermissions,
} from '@yunxun/contract/device';
import { openPluginPackage, PackageRefused, readArchive, readPluginKey } from '@yunxun/contract/plugin-package';
import { isBilingual, readSettingsSchema } from '@yunxun/contract/plugin-settings';
import { invalid } from '../../platform/failure.ts';
import type { PackageTable, PluginEntry } from './tables.ts';

export interface Catalogue {
  publisher: { name: string; key: string };
  plugins: { entry: PluginEntry; packages: PackageTable[] }[];
}

/** Bytes of a catalogue and its packages; plugins, and versions of one. */
export const catalogueLimits = { bytes: 64 * 1024 * 1024, files: 500, plugins: 100, versions: 20 } as const;

/** Reads a catalogue: a tar.gz of `catalogue.json` and the packages that it names. @throws Invalid at `field` */
export function readCatalogueFile(bytes: Buffer, field: string): { index: Index; files: ReadonlyMap<string, Buffer> } {
  try {
    const files = readArchive(bytes, { unpacked: catalogueLimits.bytes, files: catalogueLimits.files });
    return { index: readIndex(files.get('catalogue.json'), field), files };
  } catch (error) {
    if (error instanceof PackageRefused) invalid(field, 'validation.pluginCatalogue', { what: error.reason });
    throw error;
  }
}

interface Index {
  publisher: { name: string; key: string };
  plugins: Record<string, unknown>[];
}

function readIndex(bytes: Buffer | undefined, field: string): Index {
  const wrong = (what: string): never => invalid(field, 'validation.pluginCatalogue', { what });
  let value: unknown;
  try {
    value = JSON.parse(bytes?.toString('utf8') ?? '');
  } catch {
    return wrong('catalogue.json');
  }
  if (!isRecord(value) || value.format !== 1) return wrong('format');
  const publisher = asRecord<Index['publisher']>(value.publisher);
  const [name, key] = [asText(publisher.name, 64), asText(publisher.key, 100)];
  if (name === null || key === null || readPluginKey(key) === null) return wrong('publisher');
  const { plugins } = value;
  if (!Array.isArray(plugins) || plugins.length > catalogueLimits.plugins || !plugins.every(isRecord))
    return wrong('plugins');
  return { publisher: { name, key }, plugins };
}

/** Verifies every package with the publisher's key. @throws Invalid */
export function verifyCatalogue(
  { index, files }: ReturnType<typeof readCatalogueFile>,
  field: string,
): Catalogue['plugins'] {
  const plugins = index.plugins.map((one) => {
    const entry = readEntry(one, field);
    const versions = one.versions;
    if (!Array.isArray(versions) || versions.length === 0 || versions.length > catalogueLimits.versions)
      return invalid(field, 'validation.pluginCatalogue', { what: `${entry.id}.versions` });
    return { entry, packages: versions.map((version) => readPackage(entry.id, version, files, index, field)) };
  });
  const ids = plugins.map(({ entry }) => entry.id);
  if (new Set(ids).size < ids.length) invalid(field, 'validation.pluginCatalogue', { what: 'plugins' });
  return plugins;
}

function readEntry(value: Record<string, unknown>, field: string): PluginEntry {
  const id = asText(value.id, 48) ?? '';
  const wrong = (what: string): never => invalid(field, 'validation.pluginCatalogue', { what: `${id}.${what}` });
  if (!pluginForms.id.test(id)) return wrong('id');
  const { name, description, needs = null, permissions, memory_mb: memory } = value;
  const licence = asText(value.licence, 64);
  if (licence === null) return wrong('licence');
  if (!isBilingual(name)) return wrong('name');
  if (!isBilingual(description)) return wrong('description');
  if (needs !== null && !isBilingual(needs)) return wrong('needs');
  const known: readonly unknown[] = pluginPermissions;
  if (!Array.isArray(permissions) || !permissions.every((one) => known.includes(one))) return wrong('permissions');
  if (!Number.isInteger(memory) || (memory as number) < 16 || (memory as number) > pluginLimits.memoryMb)
    return wrong('memory_mb');
  const settings = readSettingsSchema(value.settings);
  if (settings === null) return wrong('settings');
  return { id, name, licence, description, permissions, memory_mb: memory as number, needs, settings };
}

function readPackage(
  id: string,
  value: unknown,
  files: ReadonlyMap<string, Buffer>,
  { publisher }: Index,
  field: string,
): PackageTable {
  const read = asRecord<PackageTable & { file: string }>(value);
  const version = asText(read.version, 20) ?? '';
  const arch = pluginArches.find((one) => one === read.arch);
  const [min_agent, sha256] = [asText(read.min_agent, 20) ?? '', asText(read.sha256, 64) ?? ''];
  const signature = asText(read.signature, 200);
  const size = Number(read.size);
  const isRead =
    pluginForms.version.test(version) && pluginForms.version.test(min_agent) && pluginForms.sha256.test(sha256);
  if (!isRead || arch === undefined) return invalid(field, 'validation.pluginCatalogue', { what: `${id}.versions` });
  const name = `${id} ${version}`;
  const bytes = files.get(asText(read.file, 200) ?? '');
  if (bytes === undefined) return invalid(field, 'validation.plugin_absent', { name });
  if (signature === null) return invalid(field, 'validation.plugin_signature', { name });
  try {
    openPluginPackage(bytes, { id, version, arch, size, sha256 }, { signature, key: publisher.key });
  } catch (error) {
    if (error instanceof PackageRefused) return invalid(field, `validation.plugin_${error.reason}`, { name });
    throw error;
  }
  return { plugin_id: id, version, arch, min_agent, size, sha256, signature, bytes };
}
