/** Package format, commands and states; see docs/plugins.en.md. */

export const pluginForms = {
  id: /^[a-z0-9][a-z0-9-]{0,47}$/,
  version: /^\d{1,5}\.\d{1,5}\.\d{1,5}$/,
  sha256: /^[0-9a-f]{64}$/,
} as const;

/** Bytes packed and unpacked; files; MiB of a process. */
export const pluginLimits = {
  package: 8 * 1024 * 1024,
  unpacked: 32 * 1024 * 1024,
  files: 200,
  memoryMb: 256,
} as const;

/** `all`: plain JavaScript for every processor. */
export const pluginArches = ['all', 'x64', 'arm64', 'arm'] as const;
export type PluginArch = (typeof pluginArches)[number];

/** `host.read`: load, memory, interface counters. Other files stay closed. */
export const pluginPermissions = ['net.listen', 'net.connect', 'host.read'] as const;
export type PluginPermission = (typeof pluginPermissions)[number];

export const packageRefusals = ['size', 'hash', 'signature', 'archive', 'path', 'manifest'] as const;
export type PackageRefusal = (typeof packageRefusals)[number];

/** Not running or installed. `missing`: no longer on the gateway. */
export const pluginReasons = [
  ...packageRefusals,
  'request',
  'arch',
  'download',
  'sandbox',
  'disk',
  'interrupted',
  'exited',
  'memory',
  'missing',
] as const;
export type PluginReason = (typeof pluginReasons)[number];

export type PluginRelease = {
  id: string;
  version: string;
  arch: string;
  /** Bytes of the package. */
  size: number;
  sha256: string;
};

/** Covers every field, so that none can be exchanged alone. */
export function pluginSignedText({ id, version, arch, size, sha256 }: PluginRelease): string {
  return `yunxun-plugin\n${id}\n${version}\n${arch}\n${size}\n${sha256}\n`;
}

export type PluginSettings = Readonly<Record<string, string | number | boolean>>;

export type EdgePluginParams = { tool: 'plugin' } & (
  | (PluginRelease & {
      op: 'install';
      url: string;
      /** Base64 Ed25519 of `pluginSignedText`; SPKI, base64. */
      signature: string;
      key: string;
      permissions: readonly string[];
      memory_mb: number;
      settings: PluginSettings;
    })
  | { op: 'settings'; id: string; settings: PluginSettings }
  | { op: 'remove'; id: string }
);

export const edgePluginStates = ['starting', 'running', 'failed'] as const;

/** Reported as `yunxun.plugins`, and in answers. */
export interface EdgePluginState {
  id: string;
  /** Null: first installation unfinished. */
  version: string | null;
  state: (typeof edgePluginStates)[number];
  reason: PluginReason | null;
  /** Last lines of its output. */
  log: readonly string[];
}
