import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PluginPermission } from '@yunxun/contract/device';

/** Files that `host.read` opens. */
const hostFiles = [
  '/proc/loadavg',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/uptime',
  '/proc/net/dev',
  '/proc/self/net/dev',
  '/sys/class/net/*',
];
const nobody = '65534';

export interface Launch {
  program: string;
  args: string[];
  uid?: number;
  gid?: number;
}

export interface Host {
  /** Null: this Node has no permission model. */
  permissionFlag: '--permission' | '--experimental-permission' | null;
  /** From Node 25 on. */
  netFlag: boolean;
  setpriv: string | null;
  root: boolean;
  ambient: boolean;
}

export function lookAtHost(): Host {
  const flags = process.allowedNodeEnvironmentFlags;
  const permissionFlag = (['--permission', '--experimental-permission'] as const).find((flag) => flags.has(flag));
  const folders = (process.env.PATH ?? '/usr/bin:/bin').split(delimiter);
  return {
    permissionFlag: permissionFlag ?? null,
    netFlag: flags.has('--allow-net'),
    setpriv: folders.map((folder) => join(folder, 'setpriv')).find((file) => existsSync(file)) ?? null,
    root: process.getuid?.() === 0,
    ambient: hasAmbient(),
  };
}

function hasAmbient(): boolean {
  try {
    return !/^CapAmb:\s*0+$/m.test(readFileSync('/proc/self/status', 'utf8'));
  } catch {
    return true;
  }
}

/**
 * Builds a command: Node's permission model closes files, child processes, workers and native code; setpriv drops user,
 * groups and capabilities. Null if the host cannot confine.
 */
export function confine(
  plugin: { code: string; data: string; main: string; permissions: readonly PluginPermission[]; memoryMb: number },
  host: Host,
  node = process.execPath,
): Launch | null {
  const { permissionFlag, setpriv, root } = host;
  if (permissionFlag === null || (!root && host.ambient && setpriv === null)) return null;
  const may = (name: PluginPermission) => plugin.permissions.includes(name);
  const readable = [join(plugin.code, '*'), join(plugin.data, '*'), ...(may('host.read') ? hostFiles : [])];
  const args = [
    permissionFlag,
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${join(plugin.data, '*')}`,
    ...(host.netFlag && (may('net.listen') || may('net.connect')) ? ['--allow-net'] : []),
    `--max-old-space-size=${plugin.memoryMb}`,
    '--no-warnings',
    join(plugin.code, plugin.main),
  ];
  if (setpriv === null) return { program: node, args, ...(root ? { uid: Number(nobody), gid: Number(nobody) } : {}) };
  const user = root ? ['--reuid', nobody, '--regid', nobody, '--clear-groups', '--bounding-set=-all'] : [];
  const dropped = [...user, '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--pdeathsig', 'KILL'];
  return { program: setpriv, args: [...dropped, '--', node, ...args] };
}
